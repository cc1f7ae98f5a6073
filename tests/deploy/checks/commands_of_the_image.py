"""The words after the image's name, which its entrypoint takes as a command."""

from collections.abc import Iterator, Sequence

from eval_worker.cli import eval_worker

IMAGE = "eval-worker"


def unknown_command(image: str, words: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with them, if the image is ours; without words it runs the worker."""
    if image.partition(":")[0] == IMAGE and words and words[0] not in eval_worker.commands:
        yield f"{IMAGE} has no command {words[0]}"
