"""How reasons name words: quoted, few, in order."""

from collections.abc import Sequence

_MOST_NAMED = 3
_LONGEST = 60


def named(words: Sequence[str]) -> str:
    shown = ", ".join(repr(word[:_LONGEST]) for word in words[:_MOST_NAMED])
    return f"{shown} and {len(words) - _MOST_NAMED} more" if len(words) > _MOST_NAMED else shown


def unsupported_spans(text: str, missing: Sequence[str]) -> list[str]:
    """The missing words as the text has them; neighbours are joined: 'quantum-resistant algorithms'."""
    folded = text.lower()
    spans: list[tuple[int, int]] = []
    before = 0
    for word in missing:
        start = folded.find(word, before)
        if start < 0:
            continue
        end = start + len(word)
        if spans and not text[before:start].strip(" -’'"):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
        before = end
    return [text[start:end] for start, end in spans] or list(missing)
