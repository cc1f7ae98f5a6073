"""Cuts a text into sentences, in any script, without a list of abbreviations: a dot ends one only before a capital."""

import re

_END = re.compile(
    r"(?<=[.!?])[\"'”’)\]]?\s+(?=[\"'“‘(\[]?[^\sa-z])|(?<=[。！？．।؟])|\s*\n+\s*(?=[-*•]|\d+[.)])|\s*\n\s*\n\s*|\n"
)
_ABBREVIATION = re.compile(r"(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|No|Fig|e\.g|i\.e|approx)\.$")
_MARKER = re.compile(r"^\s*(?:[-*•]\s+|\(?\d{1,3}[.)]\s+|#{1,6}\s+|>\s*)")


def split_sentences(text: str) -> list[str]:
    """The sentences and list items, stripped, without their list markers; none is empty."""
    sentences: list[str] = []
    pending = ""
    for piece in _split(text):
        whole = f"{pending} {piece}" if pending else piece
        if _ABBREVIATION.search(piece[-8:]) and len(whole) < 1000:  # noqa: PLR2004  # no sentence hangs on that long
            pending = whole
            continue
        pending = ""
        sentences.append(whole)
    if pending:
        sentences.append(pending)
    stripped = (_MARKER.sub("", sentence).strip() for sentence in sentences)
    return [sentence for sentence in stripped if any(map(str.isalnum, sentence))]


def _split(text: str) -> list[str]:
    pieces: list[str] = []
    start = 0
    for match in _END.finditer(text):
        pieces.append(text[start : match.end()].strip())
        start = match.end()
    pieces.append(text[start:].strip())
    return [piece for piece in pieces if piece]
