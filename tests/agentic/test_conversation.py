import asyncio
import threading
from typing import Any

import pytest
from pydantic import ValidationError
from tests.agentic.conversations import (
    CALL,
    CALLED,
    DENIED,
    EXPECTED,
    REFUSED,
    RIGHT,
    THROTTLED,
    WRONG,
    AnswerModel,
    batch,
    dataset,
    pipeline,
)

from eval_worker.agentic import judging
from eval_worker.agentic.criteria import Criteria
from eval_worker.agentic.dataset import Batch, Dataset, SessionMetadata, StreamedBatch
from eval_worker.agentic.judged import score_tools
from eval_worker.agentic.metric import interpret
from eval_worker.agentic.pipeline import evaluation_of
from eval_worker.agentic.report import AgenticReport
from eval_worker.agentic.statistics.pass_estimate import PassEstimate
from eval_worker.agentic.statistics.statistical_mode import BayesianMode, FrequentistMode
from eval_worker.agentic.tools.tool_correctness import ToolCorrectnessScore
from eval_worker.evaluation.aggregate import ScoringPolicy


def report(conversations: Any, model: AnswerModel | None = None, *, last_try: bool = True, **criteria: Any):
    options: dict[str, Any] = {"k": 3, **criteria}
    return asyncio.run(pipeline(model or AnswerModel()).report(conversations, Criteria(**options), last_try=last_try))


def verdict_of(one: AgenticReport) -> str:
    return evaluation_of(one, ScoringPolicy()).verdict.value


def test_a_conversation_is_correct_only_if_all_its_interactions_are():
    good, bad = report([dataset(RIGHT, RIGHT), dataset(RIGHT, WRONG)]).conversations
    assert (good.is_fully_correct, good.correct_interactions, good.correct_indices) == (True, 2, [0, 1])
    assert (bad.is_fully_correct, bad.correct_interactions, bad.correct_indices) == (False, 1, [0])


def test_in_a_conversation_n_is_its_interactions():
    (metric,) = report([dataset(RIGHT, RIGHT, WRONG)]).conversations
    assert metric.pass_at_k == pytest.approx(0.9630, abs=5e-5)
    assert metric.pass_pow_k == pytest.approx(0.2963, abs=5e-5)
    assert metric.correctness_scores == [1.0, 1.0, 0.2]


def test_all_together_n_is_the_conversations():
    found = report([dataset(RIGHT), dataset(RIGHT, RIGHT), dataset(RIGHT, WRONG)]).aggregated
    assert (found.total_conversations, found.fully_correct_conversations) == (3, 2)
    assert found.conversation_success_rate == pytest.approx(0.6667, abs=5e-5)
    assert found.pass_at_k == pytest.approx(0.9630, abs=5e-5)
    assert found.pass_pow_k == pytest.approx(0.2963, abs=5e-5)
    assert found.interpretation == "inconsistent"


def test_a_score_at_the_threshold_is_correct():
    (metric,) = report([dataset(WRONG)], threshold=0.2).conversations
    assert metric.is_fully_correct is True


def test_an_interaction_that_could_not_be_judged_leaves_its_conversation_unknown_and_out_of_n():
    found = report([dataset(RIGHT), dataset(RIGHT, REFUSED)])
    assert found.conversations[1].is_fully_correct is None
    assert found.conversations[1].correctness_scores == [1.0, None]
    assert (found.aggregated.total_conversations, found.aggregated.unknown_conversations) == (1, 1)
    assert found.aggregated.conversation_success_rate == 1.0


def test_a_conversation_with_a_wrong_interaction_is_wrong_whatever_could_not_be_judged():
    found = report([dataset(WRONG, REFUSED)])
    assert found.conversations[0].is_fully_correct is False
    assert (found.aggregated.total_conversations, found.aggregated.unknown_conversations) == (1, 0)


def test_where_nothing_is_known_the_figures_are_null_and_there_is_no_verdict():
    found = report([dataset(REFUSED)])
    assert found.aggregated.total_conversations == 0
    assert found.aggregated.pass_at_k is found.aggregated.pass_pow_k is found.aggregated.interpretation is None
    assert found.aggregated.conversation_success_rate is None
    assert found.conversations[0].pass_at_k is None
    assert evaluation_of(found, ScoringPolicy()).unjudged


def test_an_interaction_that_could_not_be_judged_never_lets_it_pass():
    whole, partly = report([dataset(RIGHT)] * 9), report([*[dataset(RIGHT)] * 9, dataset(RIGHT, REFUSED)])
    assert (verdict_of(whole), verdict_of(partly)) == ("pass", "review")


def test_the_confidence_is_the_success_rate_and_each_interaction_is_a_stage():
    evaluation = evaluation_of(report([dataset(RIGHT, session="one"), dataset(WRONG, session="two")]), ScoringPolicy())
    assert (evaluation.confidence, evaluation.verdict.value) == (0.5, "fail")
    assert [stage.name for stage in evaluation.stages] == ["correctness-judge"] * 2
    assert evaluation.stages[1].reason.startswith("two, q1: ")
    assert evaluation.usage.llm_calls == 2


def test_after_an_outage_nobody_else_is_asked():
    model = AnswerModel()
    found = report([dataset(*[DENIED] * 50)], model)
    assert len(model.asked) <= 4
    assert found.conversations[0].judged_interactions == 0
    assert "did not answer" in found.conversations[0].reasons[-1]


def test_unless_it_is_the_last_try_a_transient_failure_ends_it_early():
    early, last = AnswerModel(), AnswerModel()
    answers = [THROTTLED, *[RIGHT] * 40]
    report([dataset(*answers)], early, last_try=False)
    report([dataset(*answers)], last, last_try=True)
    assert len(early.asked) < 10
    assert len(last.asked) == 41


def test_no_more_interactions_are_asked_about_at_once_than_allowed():
    model = AnswerModel(latency=0.002)
    report([dataset(*[RIGHT] * 30)], model)
    assert model.most_in_flight == 4


def test_tools_count_towards_correctness_only_where_they_are_required():
    wrong_tools = batch(
        RIGHT, agentic=CALLED, ground_truth_agentic={"expected_tools": [{**CALL, "tool_name": "other"}]}
    )
    one = Dataset(session_id="s", assistant_id="a", conversation=[wrong_tools])
    assert report([one]).conversations[0].is_fully_correct is True
    assert report([one], require_tools=True).conversations[0].is_fully_correct is False


def test_wrong_tools_make_an_unjudged_interaction_wrong_where_they_are_required():
    wrong_tools = batch(REFUSED, ground_truth_agentic=EXPECTED)
    one = Dataset(session_id="s", assistant_id="a", conversation=[wrong_tools])
    assert report([one]).conversations[0].is_fully_correct is None
    assert report([one], require_tools=True).conversations[0].is_fully_correct is False


@pytest.mark.parametrize(
    "truth", [{"tool_sequence_matters": True}, {"expected_tools": None}, {"forbidden_tools": []}, {"note": "see above"}]
)
def test_a_truth_that_neither_expects_nor_forbids_a_tool_makes_no_tool_score(truth: dict[str, Any]):
    turn = batch(RIGHT, agentic=CALLED, ground_truth_agentic=truth)
    (metric,) = report([Dataset(session_id="s", assistant_id="a", conversation=[turn])]).conversations
    assert metric.tool_correctness_scores == [None]


def test_a_truth_that_only_forbids_is_scored():
    truth = {"forbidden_tools": [CALL["tool_name"]]}
    turn = batch(RIGHT, agentic=CALLED, ground_truth_agentic=truth)
    (metric,) = report([Dataset(session_id="s", assistant_id="a", conversation=[turn])]).conversations
    (score,) = metric.tool_correctness_scores
    assert score is not None
    assert not score.is_correct


def test_without_expected_tools_there_is_no_tool_score():
    turns = [batch(RIGHT, agentic=CALLED), batch(RIGHT, agentic=CALLED, ground_truth_agentic={}), batch(RIGHT)]
    one = Dataset(session_id="s", assistant_id="a", conversation=turns)
    assert report([one]).conversations[0].tool_correctness_scores == [None, None, None]


def test_tools_that_are_as_expected_are_scored_beside_the_answer():
    one = Dataset(
        session_id="s",
        assistant_id="a",
        conversation=[batch(RIGHT, agentic=CALLED, ground_truth_agentic=EXPECTED)],
    )
    (score,) = report([one]).conversations[0].tool_correctness_scores
    assert score is not None
    assert (score.overall_correctness, score.is_correct) == (1.0, True)


def test_the_same_question_answered_by_three_assistants_has_its_own_figures():
    answers = {"a1": RIGHT, "a2": WRONG, "a3": RIGHT}
    datasets = [dataset(answer, assistant=name, session="same") for name, answer in answers.items()]
    (question,) = report(datasets).questions
    assert (question.k, question.assistant_ids, question.correct_indices) == (3, ["a1", "a2", "a3"], [0, 2])
    assert (question.pass_at_k, question.pass_pow_k) == (True, False)
    assert question.attempts.pass_pow_k == pytest.approx(0.2963, abs=5e-5)


@pytest.mark.parametrize(
    ("answers", "at_least_one", "every_one"),
    [
        ((RIGHT, REFUSED), True, None),
        ((WRONG, REFUSED), None, False),
        ((WRONG, WRONG), False, False),
        ((RIGHT, RIGHT), True, True),
    ],
)
def test_an_answer_that_could_not_be_judged_leaves_a_question_open_only_where_it_decides(
    answers: tuple[str, ...], at_least_one: bool | None, every_one: bool | None
):
    (question,) = report([dataset(answer) for answer in answers]).questions
    assert (question.pass_at_k, question.pass_pow_k) == (at_least_one, every_one)


def test_one_id_for_two_questions_does_not_make_them_one():
    turns = [batch(RIGHT, query="How much?"), batch(WRONG, query="How many?")]
    datasets = [Dataset(session_id="s", assistant_id="a", conversation=[turn]) for turn in turns]
    assert report(datasets).questions == ()


def test_two_datasets_of_one_session_are_two_conversations():
    assert len(report([dataset(RIGHT), dataset(WRONG)]).conversations) == 2


def test_interactions_that_come_one_by_one_make_up_a_conversation_for_each_session_and_assistant():
    def one(session: str, assistant: str, answer: str) -> StreamedBatch:
        metadata = SessionMetadata(session_id=session, assistant_id=assistant)
        return StreamedBatch(metadata=metadata, batch=batch(answer))

    mixed = [one("s1", "a", RIGHT), one("s2", "a", RIGHT), one("s1", "a", WRONG), one("s1", "b", RIGHT)]
    found = report(iter(mixed)).conversations
    assert [(each.session_id, each.assistant_id, each.is_fully_correct) for each in found] == [
        ("s1", "a", False),
        ("s2", "a", True),
        ("s1", "b", True),
    ]


def test_an_iterator_is_read_no_further_than_there_is_room_to_judge():
    read = 0

    def endless():
        nonlocal read
        while True:
            read += 1
            yield dataset(RIGHT)

    async def first_ones() -> None:
        from eval_worker.agentic.correctness import correctness_judge
        from eval_worker.agentic.judging import WINDOW, InteractionJudge
        from eval_worker.agentic.turn import turns_of
        from eval_worker.evaluation.judges.asker import Patience
        from eval_worker.evaluation.judges.judge import Judge

        judge = Judge(correctness_judge(), AnswerModel(), Patience(), lambda: 0)
        judging = InteractionJudge(judge, Criteria(k=1), concurrency=2, most_failures=2).judge(turns_of(endless()))
        for _ in range(5):
            await anext(judging)
        await judging.aclose()
        assert read <= 5 + 2 * WINDOW

    asyncio.run(first_ones())


def test_bayesian_figures_have_intervals_and_frequentist_ones_have_none():
    conversations = [dataset(RIGHT)] * 3 + [dataset(WRONG)] * 2
    bayesian, frequentist = report(conversations, mode=BayesianMode()).aggregated, report(conversations).aggregated
    assert bayesian.pass_at_k == pytest.approx(0.881, abs=5e-4)
    assert bayesian.pass_pow_k_ci_low == pytest.approx(0.011, abs=5e-4)
    assert frequentist.pass_at_k_ci_low is frequentist.pass_pow_k_ci_high is None


class NotedMode:
    """Estimates as usual, and notes in which thread."""

    def __init__(self) -> None:
        self.threads: list[threading.Thread] = []

    def estimate(self, n: int, c: int, k: int) -> PassEstimate:
        self.threads.append(threading.current_thread())
        return FrequentistMode().estimate(n, c, k)


def test_figures_of_many_conversations_do_not_hold_up_the_event_loop():
    mode = NotedMode()
    report([dataset(RIGHT)] * 3, mode=mode)
    assert threading.main_thread() not in mode.threads


def test_tools_are_compared_in_one_thread_beside_the_event_loop(monkeypatch: pytest.MonkeyPatch):
    threads: list[threading.Thread] = []

    def noted(batch: Batch, criteria: Criteria) -> ToolCorrectnessScore | None:
        threads.append(threading.current_thread())
        return score_tools(batch, criteria)

    monkeypatch.setattr(judging, "score_tools", noted)
    turn = batch(RIGHT, agentic=CALLED, ground_truth_agentic=EXPECTED)
    report([Dataset(session_id="s", assistant_id="a", conversation=[turn] * 6)] * 2)
    assert len(threads) == 12
    assert len(set(threads)) == 1
    assert threading.main_thread() not in threads


def test_nothing_is_estimated_for_questions_that_were_answered_once():
    mode = NotedMode()
    assert report([dataset(RIGHT, WRONG, RIGHT)], mode=mode).questions == ()
    assert len(mode.threads) == len(["the conversation", "all together"])


@pytest.mark.parametrize(
    ("pass_at_k", "pass_pow_k", "word"),
    [
        (0.99, 0.8, "reliable"),
        (0.99, 0.3, "inconsistent"),
        (0.99, 0.6, "functional"),
        (0.95, 0.9, "functional"),
        (0.70, 0.0, "functional"),
        (0.69, 0.2, "needs_improvement"),
        (0.99, 0.7, "functional"),
        (0.99, 0.5, "functional"),
    ],
)
def test_the_interpretation_follows_the_documented_table(pass_at_k: float, pass_pow_k: float, word: str):
    assert interpret(pass_at_k, pass_pow_k) == word


def test_an_empty_conversation_is_an_error_and_not_correct():
    with pytest.raises(ValidationError, match="conversation"):
        Dataset(session_id="s", assistant_id="a", conversation=[])


@pytest.mark.parametrize("field", ["qa_id", "query", "ground_truth_assistant"])
def test_an_interaction_needs_what_it_is_judged_by(field: str):
    with pytest.raises(ValidationError, match=field):
        Batch.model_validate({**batch(RIGHT).model_dump(), field: " "})


@pytest.mark.parametrize("k", [0, -1, 1.5, True])
def test_attempts_are_a_whole_number_of_at_least_one(k: Any):
    with pytest.raises(ValueError, match="k must be a whole number"):
        Criteria(k=k)


def test_more_calls_than_can_be_compared_in_time_are_refused_before_anything_is_judged():
    def calls(value: int) -> list[dict[str, Any]]:
        return [{"tool_name": "search", "parameters": {"page": page, "value": value}} for page in range(300)]

    with pytest.raises(ValidationError, match="search"):
        batch(RIGHT, agentic={"tools_used": calls(1)}, ground_truth_agentic={"expected_tools": calls(2)})
