"""The other way to put interactions together: one question, answered by K assistants or K times by one."""

from collections.abc import Iterable, Sequence

from eval_worker.agentic.criteria import Criteria
from eval_worker.agentic.judged import Correctness, JudgedInteraction
from eval_worker.agentic.metric import PassFigures, QuestionMetric, figures_of


def score_questions(interactions: Iterable[JudgedInteraction], criteria: Criteria) -> list[QuestionMetric]:
    """Put together what has the same qa_id and asks the same, in the order in which each first appeared.

    What was answered only once is left out: all there is to say of it is said of its conversation.
    """
    questions: dict[tuple[str, str], list[JudgedInteraction]] = {}
    for one in interactions:
        questions.setdefault((one.qa_id, one.query), []).append(one)
    return [_score_question(answers, criteria) for answers in questions.values() if len(answers) > 1]


def _score_question(answers: Sequence[JudgedInteraction], criteria: Criteria) -> QuestionMetric:
    found = [one.correctness(criteria) for one in answers]
    correct = found.count(Correctness.CORRECT)
    known = len(found) - found.count(Correctness.UNKNOWN)
    return QuestionMetric(
        qa_id=answers[0].qa_id,
        query=answers[0].query,
        session_ids=[one.session_id for one in answers],
        assistant_ids=[one.assistant_id for one in answers],
        k=len(answers),
        threshold=criteria.threshold,
        correctness_scores=[one.stage.score for one in answers],
        correct_indices=[index for index, each in enumerate(found) if each is Correctness.CORRECT],
        reasons=[one.stage.reason for one in answers],
        pass_at_k=True if correct else _unless_unknown(found, otherwise=False),
        pass_pow_k=False if Correctness.WRONG in found else _unless_unknown(found, otherwise=True),
        tool_correctness_scores=[one.tools for one in answers],
        attempts=PassFigures.model_validate(figures_of(criteria.mode.estimate(known, correct, criteria.k))),
    )


def _unless_unknown(found: Sequence[Correctness], *, otherwise: bool) -> bool | None:
    return None if Correctness.UNKNOWN in found else otherwise
