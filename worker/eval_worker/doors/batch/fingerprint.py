"""What has to be the same for a batch to be gone on with: the input, and all that shapes a verdict."""

import hashlib
from typing import Any

from pydantic import BaseModel, ConfigDict

from eval_worker.agentic.correctness import correctness_judges
from eval_worker.doors.batch.plan import BatchPlan, Location
from eval_worker.settings import Settings
from eval_worker.tables.reading import STANDARD_STREAM, open_records

_SHAPING = (
    "early_exit_threshold",
    "precheck_weight",
    "llm_judge_weight",
    "pass_threshold",
    "review_threshold",
    "judge_output",
    "judge_calls",
    "judge_waves",
    "max_event_bytes",
    "results_include_interaction",
)
_BEFORE_IT_WAS_A_SETTING = {"JUDGE_CALLS": "separate", "JUDGE_WAVES": ""}


class Fingerprint(BaseModel):
    """The first line of the progress file."""

    model_config = ConfigDict(frozen=True)

    input_sha256: str | None
    order: str
    rejected: str | None = None
    model: str
    judges_digest: str
    correctness_digest: str | None = None
    settings: dict[str, Any]

    def difference(self, now: "Fingerprint") -> str | None:
        """Say the first thing that is not as it was, or None."""
        if self.input_sha256 != now.input_sha256:
            return "the input is not the one that it was begun with"
        # Another rejected file would have what is rejected forgotten, or another batch's rejections believed.
        rejecting = _rejecting_to(self.rejected), _rejecting_to(now.rejected)
        for before, after in ((self.order, now.order), rejecting):
            if before != after:
                return f"it was begun {before}, not {after}"
        if self.model != now.model:
            return f"it was begun with the model {self.model}, not with {now.model}"
        if (self.judges_digest, self.correctness_digest) != (now.judges_digest, now.correctness_digest):
            return "the judges are not the ones that it was begun with"
        for name, value in now.settings.items():
            before = self.settings.get(name, _BEFORE_IT_WAS_A_SETTING.get(name))
            if before != value:
                return f"it was begun with {name}={before}, not {value}"
        return None


def take_fingerprint(plan: BatchPlan, settings: Settings, *, model: str, judges_digest: str) -> Fingerprint:
    """Conversations have a judge of their own, which no setting changes, but another version may."""
    return Fingerprint(
        input_sha256=_digest(plan.input),
        order="in the order of the input" if plan.in_order else "with --as-completed",
        rejected=plan.rejected_elsewhere,
        model=model,
        judges_digest=judges_digest,
        correctness_digest=correctness_judges().digest,
        settings={name.upper(): getattr(settings, name) for name in _SHAPING},
    )


def _rejecting_to(file: str | None) -> str:
    return "without --rejected" if file is None else f"with --rejected {file}"


def _digest(location: Location) -> str | None:
    """Of the content; what comes through a pipe can't be read twice."""
    if location == STANDARD_STREAM:
        return None
    with open_records(location) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()  # pyright: ignore[reportArgumentType] (it has readinto)
