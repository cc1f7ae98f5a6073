"""The judge of an answer against its reference: whether it says what the ground truth says."""

from functools import cache
from importlib import resources

from eval_worker.evaluation.judges.definition import JudgeDefinition, JudgeSet, load_judges


@cache
def correctness_judges() -> JudgeSet:
    """Return the set of the one judge `correctness`, with the digest of all that shapes its judgement.

    It scores 0..1 how far an `Interaction.answer` says what its `reference` says, and is not applicable where there
    is no reference.
    """
    text = resources.files("eval_worker.agentic").joinpath("correctness.yaml").read_text(encoding="utf-8")
    return load_judges(text)


def correctness_judge() -> JudgeDefinition:
    """Return the judge alone."""
    (judge,) = correctness_judges().judges
    return judge
