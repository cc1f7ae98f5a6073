"""The exceptions of this project: bugs and broken I/O. A failed judge is not one of them, it is a value."""


class EvalWorkerError(Exception):
    """Base of all. The message is one line that names the offending value and says what to do."""

    exit_code = 1


class SettingsError(EvalWorkerError):
    """A setting, flag or settings file is wrong: the command can't start as it was told to."""

    exit_code = 2


class MissingExtraError(SettingsError):
    """An optional part is used that was not installed."""

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs an extra: pip install 'eval-worker[{extra}]'")


class RedisUnavailableError(EvalWorkerError):
    """Redis can't be reached, or refuses who we are."""


class ModelUnavailableError(EvalWorkerError):
    """The judge model could not be used for longer than it is worth waiting here."""


class ConnectorError(EvalWorkerError):
    """A request names a model that it may not have, or that can't be made as it asks."""


class EmbeddedServerError(EvalWorkerError):
    """The embedded Valkey did not start."""


class MalformedEventError(EvalWorkerError):
    """A stream entry is not an event. `field` is the payload field (or the payload) that is wrong."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


HANDLER_ERROR = "handler_error"
"""Why an event has no verdict whose evaluation raised: a bug of ours that it shows."""


def blamed_on(bug: Exception) -> str:
    """Say it in the words that stand with the event."""
    return f"evaluating it raised {type(bug).__name__}: {bug}"
