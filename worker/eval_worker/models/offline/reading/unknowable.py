"""Whether a query wants what no text model has: today's facts, an act in the world, or what only the asker can tell."""

import re

_SCANNED = 400
_LIVE = re.compile(
    r"\b(?:weather|temperature|forecast|stock price|share price|exchange rate|score|traffic|news|time is it|open)\b"
    r".{0,40}\b(?:right now|now|today|tonight|tomorrow|currently|this (?:week|weekend|morning|evening))\b|"
    r"\b(?:current|latest|live|today's) (?:\w+ )?(?:weather|price|score|news|traffic|rate)\b|"
    r"\bwetter\b.{0,30}\b(?:heute|morgen|jetzt|gerade)\b|\bmétéo\b.{0,30}\b(?:aujourd|demain)|"
    r"\btiempo hace\b|\bclima\b.{0,30}\b(?:hoy|mañana|ahora)\b|天气|天気",
    re.IGNORECASE,
)
_ACT = re.compile(
    r"^\W*(?:(?:please|can you|could you|hey|hi) )*(?:book|reserve|order|buy|call|phone|text|e-?mail|pay|transfer|"
    r"remind|cancel|schedule|turn (?:on|off)|play)\b (?:me|my|us|our|a|the|two|some|him|her|\w+ to)\b",
    re.IGNORECASE,
)
_OF_THE_ASKER = re.compile(
    r"^\W*(?:please |hi |hey |hello |ok |i need you to |i want you to )*(?:can|could|would|will) you (?:please )?"
    r"(?:help|plan|review|check|fix|improve|write|make|edit|organi[sz]e|design|recommend|suggest)\b.{0,60}$|"
    r"^\W*(?:help me|i need (?:help|advice|a)|i want to|i'd like to)\b.{0,60}$|"
    r"^\W*(?:kannst|könntest|können|könnten) (?:du|sie) mir\b.{0,60}$|^\W*(?:peux-tu|pouvez-vous|tu peux) m.{0,60}$|"
    r"^\W*(?:me )?(?:puedes|puede|podrías) (?:ayud|recomend)\w+.{0,60}$",
    re.IGNORECASE,
)


def wants_what_cannot_be_known(query: str) -> bool:
    """Whether to say that one can't is the right answer: to today's weather, or to a table that is to be booked."""
    return (_LIVE.search(query, 0, _SCANNED) or _ACT.search(query, 0, _SCANNED)) is not None


def leaves_open_what_is_meant(query: str) -> bool:
    """Whether a short request leaves so much open that to ask back is the right answer: "Can you plan my week?"."""
    return _OF_THE_ASKER.search(query.strip()) is not None
