"""A text without some of its sentences, its layout kept."""

from collections.abc import Callable, Sequence

from eval_worker.evaluation.text.sentences import MARKER, split_sentences

_FENCE = "```"


def excerpt(text: str, keeps: Callable[[str], bool]) -> str:
    """Return the text with the sentences that are kept; lines without any sentence stay, and what fences code in.

    `keeps` is asked in order.
    """
    fenced = text.count(_FENCE) % 2 == 0  # else one of them would open a block that takes in the rest
    lines: list[str] = []
    for line in text.split("\n"):
        sentences = split_sentences(line)
        left = [sentence for sentence in sentences if keeps(sentence)]
        if len(left) == len(sentences):
            lines.append(line)
        elif left:
            marker = _marker(line) if left[0] == sentences[0] else ""
            lines.append(f"{marker}{_joined(left)}")
        elif fenced and line.lstrip().startswith(_FENCE):
            lines.append(_FENCE)
    return "\n".join(lines).strip()


def _marker(line: str) -> str:
    """What makes it an item of a list, which it is without the sentence that was run on behind it."""
    found = MARKER.match(line.strip())
    return found[0] if found else ""


def _joined(sentences: Sequence[str]) -> str:
    """One line, but for what begins without a capital: after a blank it would be read as part of what goes before."""
    joined = [sentences[0]]
    for sentence in sentences[1:]:
        joined += ["\n" if sentence[0].islower() else " ", sentence]
    return "".join(joined)
