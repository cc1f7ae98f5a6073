"""Outcomes and conditions as JSON, for steering from another process."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from eval_worker.testing.fake_bedrock import failures, replies
from eval_worker.testing.fake_bedrock.outcome import Outcome
from eval_worker.testing.fake_provider.condition import Condition

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

OUTCOMES: dict[str, type[Outcome]] = {
    kind.__name__: kind
    for kind in (
        replies.Reply,
        replies.Judgements,
        replies.PlainText,
        replies.MalformedReply,
        replies.Truncated,
        replies.Stopped,
        replies.ContentFiltered,
        failures.AwsError,
        failures.Throttle,
        failures.ServerError,
        failures.ModelTimeout,
        failures.ModelError,
        failures.AccessDenied,
        failures.RefuseTemperature,
        failures.RefusePromptCaching,
        failures.Drop,
        failures.Trickle,
        failures.Garbage,
    )
}


def encode(value: "DataclassInstance") -> dict[str, Any]:
    return asdict(value)


def encode_outcome(outcome: Any) -> dict[str, Any]:
    return {"kind": type(outcome).__name__, **asdict(outcome)}


def decode_outcome(document: dict[str, Any]) -> Outcome:
    """Return the outcome of that `kind`.

    Raises:
        ValueError: there is no such kind, or it has no such parameter.
    """
    parameters = dict(document)
    kind = OUTCOMES.get(str(parameters.pop("kind", None)))
    if kind is None:
        raise ValueError(f"outcome.kind must be one of {', '.join(OUTCOMES)}, not {document.get('kind')!r}")
    return kind(**parameters)


def decode_condition(document: dict[str, Any]) -> Condition:
    """Read a condition; one `text` may be given instead of a list of `texts`."""
    fields = dict(document)
    texts = tuple(fields.pop("texts", ()))
    if "text" in fields:
        texts += (fields.pop("text"),)
    return Condition(texts=texts, **fields)
