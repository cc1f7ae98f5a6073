"""What can be had without a judge."""

from eval_worker.event import InteractionPayload
from eval_worker.quality.baselines import BASELINES, baseline_scores


def interaction(answer: str, context: str | None = "a b c d") -> InteractionPayload:
    return InteractionPayload(user_query="what is a", answer=answer, context=context)


def test_each_baseline_scores_each_answer():
    found = baseline_scores([interaction("a b x"), interaction("")])

    assert tuple(found) == BASELINES
    assert found["answer_overlap"] == [2 / 3, 0.0]
    assert found["query_overlap"] == [1 / 3, 0.0]
    assert (found["length"], found["brevity"]) == ([5, 0], [-5, 0])
    assert found["rouge_1"] == [2 * 2 / 7, 0.0]
    assert found["constant"] == [0.0, 0.0]


def test_without_any_context_the_answer_overlaps_with_nothing_and_rouge_takes_the_query():
    found = baseline_scores([interaction("what is it", context) for context in (None, "")])

    assert "answer_overlap" not in found
    assert found["rouge_2"] == [2 * 1 / 4] * 2
