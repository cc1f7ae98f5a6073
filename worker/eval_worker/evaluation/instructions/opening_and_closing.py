"""What the answer is to begin and to end with."""

import re
from collections.abc import Iterator

from eval_worker.evaluation.instructions.check import Check, told
from eval_worker.evaluation.instructions.request import is_reported
from eval_worker.evaluation.text.prefiltered import Prefiltered

_TERM = r"(?:[\"“'‘]([^\"”'’\n]{1,80})[\"”'’]|(\w[\w-]*))"
_WHOLE = (
    r"(?:(?:your|the|it)\s+)?"
    r"(?:(?:entire\s+)?(?:answer|response|reply|story|poem|text|e-?mail|letter|sentence|paragraph|essay)\s+)?"
)
_OPENING = Prefiltered(
    rf"\b(?:start|begin)(?:ing|s)?\s+{_WHOLE}(?:off\s+)?with\s+(?:the (?:exact )?(?:words?|phrases?|letters?|"
    rf"sentence)\s+)?{_TERM}",
    words=("start", "begin"),
)
_CLOSING = Prefiltered(
    rf"\b(?:end|finish|conclude)(?:ing|s)?\s+{_WHOLE}with\s+(?:the (?:exact )?(?:words?|phrases?|sentence)\s+)?{_TERM}",
    words=("end", "finish", "conclude"),
)
_NO_TERM = frozenset(
    {"a", "an", "the", "some", "your", "one", "each", "what", "how", "it", "them", "this", "that", "small", "simple"}
)
_OTHERS = re.compile(
    r"\b(?:words?|names?|animals?|items?|cit(?:y|ies)|countr(?:y|ies)|each|every|all|lines?|things?|that|which|"
    r"sentences?)\b[^.?!\n]{0,20}$",
    re.IGNORECASE,
)  # "words that start with S" says nothing of the answer's own start
_NEAR_END = 160


def check_opening_and_closing(orders: str, answer: str) -> Iterator[Check]:
    body = answer.strip().strip("\"'“”*").lower()
    if wanted := _wanted(_OPENING, orders):
        yield told(
            f"asked to start with {wanted!r}", kept=body.startswith(wanted.lower()), otherwise="the answer does not"
        )
    if wanted := _wanted(_CLOSING, orders):
        ends = body[-_NEAR_END:].rstrip(" .!?\"'*").endswith(wanted.lower().rstrip(" .!?"))
        yield told(f"asked to end with {wanted!r}", kept=ends, otherwise="the answer does not")


def _wanted(pattern: Prefiltered, orders: str) -> str | None:
    match = pattern.search(orders)
    if match is None or is_reported(orders, match.start()) or _OTHERS.search(orders[: match.start()][-30:]):
        return None
    quoted, plain = match.groups()
    if quoted:
        return quoted
    return (
        None
        if plain.lower() in _NO_TERM or ("letter" not in match.group().lower() and not plain[0].isupper())
        else plain
    )
