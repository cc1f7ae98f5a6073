"""Cuts a text into sentences, in any script, without a list of abbreviations: a dot ends one only before a capital."""

import re
from collections.abc import Iterator

_END = re.compile(r"(?<=[.!?])[\"'”’)\]]?\s+(?=[\"'“‘(\[]?[^\sa-z])|(?<=;)\s+|(?<=[。！？．।؟；])")
_MARKER = re.compile(r"^(?:[-*•]|\(?\d{1,3}[.)]|#{1,6}|>)[ \t]+(?=\S)")
_ABBREVIATION = re.compile(r"(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|No|Fig|e\.g|i\.e|approx)\.$")
_LONGEST_ABBREVIATION = 8
_LONGEST_JOINED = 1000  # no sentence hangs on abbreviations for longer


def split_sentences(text: str) -> list[str]:
    """The sentences and list items, stripped, without their list markers; none is empty. A line break ends one."""
    return [
        sentence
        for line in text.split("\n")
        if line
        for sentence in _of_line(_MARKER.sub("", line.strip()))
        if any(map(str.isalnum, sentence))
    ]


def _of_line(line: str) -> Iterator[str]:
    pending = ""
    start = 0
    for end in [*(match.end() for match in _END.finditer(line)), len(line)]:
        piece = line[start:end].strip()
        start = end
        pending = f"{pending} {piece}" if pending else piece
        if _ABBREVIATION.search(piece[-_LONGEST_ABBREVIATION:]) and len(pending) < _LONGEST_JOINED:
            continue
        yield pending
        pending = ""
    if pending:
        yield pending
