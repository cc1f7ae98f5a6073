"""How values and names are shown to people: on one line, cut to a length, in whole characters."""

import json

from eval_worker.agentic.tools.json_value import Json

LONGEST = 60


def shown(value: Json) -> str:
    """Return the value as JSON, which tells 1 from "1"."""
    return cut(json.dumps(value, ensure_ascii=False))


def cut(text: str) -> str:
    """Return the beginning of a long text. What can't be printed is spelled out: line ends, halves of characters."""
    text = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
