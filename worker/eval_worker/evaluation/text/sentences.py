"""Cuts a text into sentences, in any script, without a list of abbreviations: a dot ends one only before a capital."""

import re
from collections.abc import Iterator

# The leading set alone finds the few places to look at: many times as fast as a look back from every character.
_END = re.compile(
    r"[.!?;。！？．।؟；](?:(?<=[.!?])[\"'”’)\]]?\s+(?=[\"'“‘(\[]?[^\sa-z])|(?<=;)\s+|(?<=[。！？．।؟；]))"
)
_MARKER = re.compile(r"^(?:[-*•]|\(?\d{1,3}[.)]|#{1,6}|>)[ \t]+(?=\S)")
_ABBREVIATION = re.compile(r"(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|Fig|e\.g|i\.e|approx)\.$")
_NUMBER_SIGN = re.compile(r"(?:^|[\s(])No\.$")  # before a number; else it is an answer
_LONGEST_ABBREVIATION = 8
_LONGEST_JOINED = 1000  # no sentence hangs on abbreviations for longer


def split_sentences(text: str) -> list[str]:
    """The sentences and list items, stripped, without their list markers; none is empty. A line break ends one."""
    return [
        sentence
        for line in text.split("\n")
        if line
        for sentence in _of_line(_MARKER.sub("", line.strip()))
        if sentence[:1].isalnum() or any(map(str.isalnum, sentence))
    ]


def _of_line(line: str) -> Iterator[str]:
    pending = ""
    start = 0
    for end in [*(match.end() for match in _END.finditer(line)), len(line)]:
        piece = line[start:end].strip()
        start = end
        pending = f"{pending} {piece}" if pending else piece
        if _is_abbreviated(piece, line[end : end + 1]) and len(pending) < _LONGEST_JOINED:
            continue
        yield pending
        pending = ""
    if pending:
        yield pending


def _is_abbreviated(piece: str, following: str) -> bool:
    if not piece.endswith("."):
        return False
    last = piece[-_LONGEST_ABBREVIATION:]
    return _ABBREVIATION.search(last) is not None or (following.isdigit() and _NUMBER_SIGN.search(last) is not None)
