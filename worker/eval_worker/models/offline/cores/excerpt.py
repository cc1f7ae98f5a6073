"""A text without some of its sentences, its layout kept."""

from collections.abc import Callable

from eval_worker.evaluation.text.sentences import split_sentences


def excerpt(text: str, keeps: Callable[[str], bool]) -> str:
    """Return the text with the sentences that are kept; lines without any sentence stay. `keeps` is asked in order."""
    lines: list[str] = []
    for line in text.split("\n"):
        sentences = split_sentences(line)
        left = [sentence for sentence in sentences if keeps(sentence)]
        if len(left) == len(sentences):
            lines.append(line)
        elif left:
            lines.append(" ".join(left))
    return "\n".join(lines).strip()
