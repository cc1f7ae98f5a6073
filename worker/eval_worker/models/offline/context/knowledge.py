"""What of a context is knowledge to answer from, as opposed to what was said before in the same conversation."""

import re

_TURN = re.compile(
    r"\s*[*_\[(]*(?:user|assistant|human|ai|bot|chatbot|agent|customer|client|system|speaker ?\w{1,2})[*_\])]*\s*:",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\s*(?:knowledge|context|facts?|sources?|documents?|passages?|evidence|background|references?)\s*:\s*",
    re.IGNORECASE,
)
_HEADING = re.compile(r"\s*[^.!?:]{1,60}:\s*")


def knowledge_in(context: str) -> str:
    """The context without the turns of a conversation, their heading and the label of the rest.

    All of it where nothing else is there: then the conversation is what there is to know.
    """
    lines = context.split("\n")
    if not any(map(_TURN.match, lines)):
        return context
    kept: list[str] = []
    for line in lines:
        if _TURN.match(line):
            if kept and _HEADING.fullmatch(kept[-1]):
                kept.pop()
        elif line.strip():
            kept.append(_LABEL.sub("", line, count=1) if _LABEL.match(line) else line)
    return "\n".join(kept) or context
