"""What is known of one explicit instruction: how well it is kept, in a score and in words."""

from dataclasses import dataclass

KEPT, NEARLY, PARTLY, BROKEN = 1.0, 0.9, 0.6, 0.2


@dataclass(frozen=True, slots=True)
class Check:
    """`score` is 0..1; `finding` is a clause such as "asked for exactly 3 examples, the answer has 2"."""

    score: float
    finding: str


def told(asked: str, *, kept: bool, otherwise: str, score: float = BROKEN) -> Check:
    """Return a check of what is either kept or not; `otherwise` says what is wrong, at the given score."""
    return Check(KEPT, f"{asked}, and the answer does so") if kept else Check(score, f"{asked}, {otherwise}")
