"""The order of what is listed: alphabetical, by size; and of the parts: first this, then that."""

import re
from collections.abc import Iterator, Sequence

from eval_worker.evaluation.instructions.check import Check, told
from eval_worker.evaluation.instructions.items import marked_items
from eval_worker.evaluation.instructions.request import is_reported
from eval_worker.evaluation.text.prefiltered import Prefiltered
from eval_worker.evaluation.text.words import fold

_ALPHABETICAL = Prefiltered(
    r"\b(?:in|into|by) (?P<reverse>reverse )?(?:alphabetical|alphabetic) order\b|"
    r"\b(?P<reversely>reverse )?alphabetically\b|"
    r"\balphabetisch\b|\b(?:par|en) ordre alphabétique\b|\ben orden alfabético\b",
    words=("alphab", "alfab"),
)
_BY_SIZE = Prefiltered(
    r"\b(?:in|into) (?P<order>ascending|descending|increasing|decreasing) order\b|"
    r"\bfrom (?:the )?(?P<from>smallest|lowest|least|largest|highest|biggest|greatest)\b(?! (?:number|value|"
    r"item)? ?(?:of|in) )",
    words=(
        "ascending",
        "descending",
        "increasing",
        "decreasing",
        "smallest",
        "lowest",
        "least",
        "largest",
        "highest",
        "biggest",
        "greatest",
    ),
)
_RISING = frozenset({"ascending", "increasing", "smallest", "lowest", "least"})
_NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?![\w.]*\d)")
_LEAST, _MOST = 3, 200
_WORDS_OF_ITEM = 6
_TEXT_BEFORE = re.compile(r"^[^:\n]{0,160}:\s*")


def check_order(orders: str, answer: str) -> Iterator[Check]:
    if (asked := _ALPHABETICAL.search(orders)) and not is_reported(orders, asked.start()):
        items = _items(answer)
        if len(items) >= _LEAST:
            reverse = bool(asked.group("reverse") or asked.group("reversely"))
            keys = [fold(item).lstrip("\"'*`([") for item in items]
            name = "reverse alphabetical order" if reverse else "alphabetical order"
            yield told(f"asked for {name}", kept=_is_sorted(keys, reverse=reverse), otherwise="the answer is not in it")
    if (asked := _BY_SIZE.search(orders)) and not is_reported(orders, asked.start()):
        numbers = _numbers(answer)
        if len(numbers) >= _LEAST:
            rising = (asked.group("order") or asked.group("from")).lower() in _RISING
            name = "ascending order" if rising else "descending order"
            kept = _is_sorted(numbers, reverse=not rising)
            yield told(f"asked for {name}", kept=kept, otherwise="the answer's numbers are not in it")


def _items(answer: str) -> list[str]:
    """The items of a list or of one enumeration; none where the answer is a text."""
    marked = marked_items(answer)
    if len(marked) >= _LEAST:
        return marked[:_MOST]
    body = _TEXT_BEFORE.sub("", answer.strip()).rstrip(".")
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    found = (
        lines
        if len(lines) >= _LEAST
        else [re.sub(r"^(?:and|und|et|y)\s+", "", one.strip()) for one in re.split(r"[,;、,]", body)]
    )
    return found[:_MOST] if all(0 < len(one.split()) <= _WORDS_OF_ITEM for one in found) else []


def _numbers(answer: str) -> list[float]:
    """The numbers of an answer that lists nothing else."""
    body = _TEXT_BEFORE.sub("", answer.strip())
    if sum(map(str.isalpha, body)) > len(body) / 3:
        return []
    return [float(one.replace(",", "").replace("−", "-")) for one in _NUMBER.findall(body)[:_MOST]]


def _is_sorted(keys: Sequence[str] | Sequence[float], *, reverse: bool) -> bool:
    return list(keys) == sorted(keys, reverse=reverse)
