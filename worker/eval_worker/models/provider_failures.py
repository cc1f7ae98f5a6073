"""What the failures of all providers have in common: rules that tell whose one is, and what is kept of its words."""

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from eval_worker.evaluation.judges.model import FailureKind, ModelFailure
from eval_worker.redaction import Redact, without_secrets

CLIENT_ERRORS = range(400, 500)
SERVER_ERRORS = range(500, 600)

_LONGEST_DETAIL = 300
# A secret access key has forty such characters and no other mark; elsewhere paths and digests do too.
_SECRET_KEY = re.compile(r"[A-Za-z0-9+/=]{40,}")


@dataclass(frozen=True, slots=True)
class ServiceRule:
    """An error response matches by one of its types or its status, and then by what it says, where that is given."""

    kind: FailureKind
    code: str
    meaning: str
    types: frozenset[str] = frozenset()
    statuses: frozenset[int] | range = frozenset()
    says: re.Pattern[str] | None = None

    def matches(self, types: Collection[str], status: int, text: str) -> bool:
        listed = not self.types.isdisjoint(types) or status in self.statuses
        return listed and (self.says is None or self.says.search(text) is not None)


def any_of(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


def bad_response(detail: str) -> ModelFailure:
    """Something answered, but not as the provider does."""
    return ModelFailure(FailureKind.TRANSIENT, "bad_response", f"the response can't be read ({detail})")


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """Read seconds, or a date, which is taken relative to the response's own so that no clock is needed.

    A number beyond what a float can hold says nothing: nobody could wait for that long, nor tell others to.
    """
    told = {name.lower(): value.strip() for name, value in headers.items()}
    try:
        seconds = _seconds_told(told)
    except (KeyError, ValueError, TypeError, OverflowError):
        return None
    return seconds if math.isfinite(seconds) else None


def _seconds_told(told: Mapping[str, str]) -> float:
    for milliseconds in ("x-amz-retry-after", "retry-after-ms"):
        if milliseconds in told:
            return max(0.0, float(int(told[milliseconds])) / 1000)
    asked = told["retry-after"]
    if asked.replace(".", "", 1).isdecimal():
        return float(asked)
    wait = parsedate_to_datetime(asked) - parsedate_to_datetime(told["date"])
    return max(0.0, wait.total_seconds())


def one_line(text: str, redact: Redact = without_secrets) -> str:
    """Return what a provider wrote as one line of a bearable length, without secrets."""
    line = " ".join(_SECRET_KEY.sub("[…]", redact(text)).split())
    return line if len(line) <= _LONGEST_DETAIL else line[: _LONGEST_DETAIL - 1] + "…"
