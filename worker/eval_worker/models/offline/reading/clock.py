"""Times of day in one spelling, so that the two clocks meet: "3 pm", "15:00" and "15 Uhr" all read "15 00"."""

import re

_TIME = re.compile(
    r"(?<![\w:.,])(?:(?P<hour>0?[1-9]|1[0-2])(?:[:.](?P<past>[0-5]\d))?\s?(?P<half>[ap])(?:\.m\.|m\b)|"
    r"(?P<of_day>[01]?\d|2[0-3])(?::(?P<minutes>[0-5]\d)(?![:\d])|(?=\s?(?:uhr|o'clock)\b|[时時点點](?![间間])))"
    r"(?:\s?(?:uhr|o'clock)\b|[时時点點])?)",
    re.IGNORECASE,
)
_HALF_A_DAY = 12


def in_24_hours(text: str) -> str:
    """The text with each time of day as its hour, 0 to 23, and its minutes."""
    return _TIME.sub(_respelled, text)


def _respelled(time: re.Match[str]) -> str:
    if time["half"]:
        hour = int(time["hour"]) % _HALF_A_DAY + _HALF_A_DAY * (time["half"] in "pP")
        return f"{hour} {time['past'] or '00'} "
    return f"{int(time['of_day'])} {time['minutes'] or '00'} "
