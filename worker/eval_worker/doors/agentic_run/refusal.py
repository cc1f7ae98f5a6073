"""Why a run has no figures: the documented error, what exactly was wrong, and whose fault it is."""

from collections.abc import Mapping
from enum import StrEnum
from http import HTTPStatus

from eval_worker.errors import EvalWorkerError


class RunError(StrEnum):
    """The texts that callers may rely on, word for word."""

    NO_CONNECTOR = "No connector configuration provided"
    NO_CLASS_PATH = "connector.class_path is required"
    CONNECTOR_FAILED = "Failed to create LLM connector"
    NO_DATASETS = "No datasets provided"
    NO_QA_IDS = "No qa_ids found in datasets"
    EVALUATION_FAILED = "Agentic evaluation failed"


class RunRefusedError(EvalWorkerError):
    """A run that gives no figures.

    `error` is one of the documented texts, or names the field that is wrong. `detail` says more where there is more to
    say, and holds no value that may be a secret. `retry_after` is in seconds, None where the same request would fail
    again. `allow` is the method that there is, where the one that was used is none.
    """

    def __init__(
        self,
        error: str,
        detail: str = "",
        *,
        status: HTTPStatus = HTTPStatus.BAD_REQUEST,
        retry_after: float | None = None,
        allow: str | None = None,
    ) -> None:
        super().__init__(f"{error}: {detail}" if detail else error)
        self.error = str(error)
        self.detail = detail
        self.status = status
        self.retry_after = retry_after
        self.allow = allow

    def as_response(self) -> Mapping[str, object]:
        """Return the documented document; `detail` is ours and left out where there is nothing to add."""
        return {"success": False, "error": self.error} | ({"detail": self.detail} if self.detail else {})
