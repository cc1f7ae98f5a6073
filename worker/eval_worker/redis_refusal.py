"""What Redis refuses for good, as long as nobody mends it."""

from redis.exceptions import NoPermissionError, OutOfMemoryError

_ITS_WORDS = ("WRONGTYPE", "NOPERM", "OOM command")
_A_SCRIPTS_WORDS = ("The user executing the script can't", "ACL failure in script")


def is_refusal(error: Exception) -> bool:
    """Whether it is about this one command, as opposed to a server that is a replica now, or gone."""
    said = str(error)
    return isinstance(error, NoPermissionError | OutOfMemoryError) or any(
        each in said for each in (*_ITS_WORDS, *_A_SCRIPTS_WORDS)
    )


def any_failure(_error: Exception) -> bool:
    """For what can be done without: a cluster has lost a node, and those events go on whose own node is there."""
    return True
