"""What to say where numpy or scipy is needed and not installed: the base install has neither."""

from importlib.util import find_spec

from eval_worker.errors import MissingExtraError


def require(package: str, purpose: str) -> None:
    """Do nothing where the package is installed; it is not imported.

    Raises:
        MissingExtraError: it is missing; the message says how to install it.
    """
    if find_spec(package) is None:
        raise MissingExtraError("agentic", purpose)
