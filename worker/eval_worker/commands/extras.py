"""What to say where a command needs a part that was not installed."""

from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def needs_extra(extra: str, purpose: str, *packages: str) -> Generator[None]:
    """Around the imports of an optional part.

    Raises:
        MissingExtraError: one of `packages` is not installed; it says how to install the extra.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in packages:
            raise
        from eval_worker.errors import MissingExtraError

        raise MissingExtraError(extra, purpose) from error
