"""How a model is asked once more after a reply that could not be used, by every provider alike."""

from eval_worker.evaluation.judges.model import BadReply


def repair_turns(bad: BadReply, how: str) -> tuple[str, str]:
    """Return the model's own turn, which must not be empty, and the user's, which says what was wrong."""
    said = bad.text.strip() or "(an empty reply)"
    return said, f"That reply can't be used: {bad.problem}. Give your judgement again. {how[0].upper()}{how[1:]}"
