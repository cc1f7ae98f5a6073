"""How values and names are shown to people: on one line, cut to a length, in whole characters."""

import json

from eval_worker.agentic.tools.json_value import Json

LONGEST = 60


def shown(value: Json) -> str:
    """Return the value as JSON, which tells 1 from "1"."""
    return cut(json.dumps(value, ensure_ascii=False))


def cut(text: str) -> str:
    """Return the beginning of a long text. Half a character, which no UTF-8 can hold, is spelled out."""
    text = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return text.encode(errors="backslashreplace").decode()
