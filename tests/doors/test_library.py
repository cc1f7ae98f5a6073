import asyncio
import logging
import signal
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from tests.agentic.conversations import DENIED, REFUSED, RIGHT, WRONG, AnswerModel, batch, dataset

import eval_worker.agentic
from eval_worker.agentic import (
    Agentic,
    AgenticMetrics,
    BayesianMode,
    Dataset,
    Retriever,
    SessionMetadata,
    StreamedBatch,
)
from eval_worker.errors import ModelUnavailableError, SettingsError
from eval_worker.evaluation.judges.model import ModelAnswer
from eval_worker.evaluation.judges.request import JudgeRequest


class Answers(Retriever):
    """One conversation for each of the answers that it is made with."""

    def load_dataset(self) -> list[Dataset]:
        return [dataset(answer, session=f"s{n}") for n, answer in enumerate(self.kwargs.get("answers", [RIGHT]))]


class InterruptingModel(AnswerModel):
    """Its user presses Ctrl+C while it is asked."""

    def __init__(self, *, asked_before: int) -> None:
        super().__init__(latency=0.01)
        self.asked_before = asked_before

    async def ask(self, request: JudgeRequest) -> ModelAnswer:
        if len(self.asked) == self.asked_before:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        return await super().ask(request)


def run(*answers: str, model: Any = None, k: int = 3, **options: Any) -> AgenticMetrics:
    return Agentic.run(Answers, model=model or AnswerModel(), k=k, answers=answers, **options)


def test_everything_that_is_public_is_found_under_its_name():
    for name in eval_worker.agentic.__all__:
        assert getattr(eval_worker.agentic, name).__name__ == name
    with pytest.raises(AttributeError, match="AgenticLambda"):
        _ = eval_worker.agentic.AgenticLambda  # pyright: ignore[reportAttributeAccessIssue] (there is none)


def test_there_is_one_metric_for_each_conversation_and_one_for_all():
    metrics = run(RIGHT, RIGHT, WRONG)
    assert [metric.session_id for metric in metrics] == ["s0", "s1", "s2"]
    assert [metric.is_fully_correct for metric in metrics] == [True, True, False]
    assert metrics.aggregated.pass_at_k == pytest.approx(0.9630, abs=5e-5)
    assert metrics.aggregated.pass_pow_k == pytest.approx(0.2963, abs=5e-5)


def test_k_has_no_default():
    with pytest.raises(TypeError, match="'k'"):
        Agentic.run(Answers, model=AnswerModel())  # pyright: ignore[reportCallIssue] (that is the point)


def test_a_retriever_is_a_class_with_its_arguments_or_an_object():
    assert len(run(RIGHT, WRONG)) == 2
    assert len(Agentic.run(Answers(answers=[RIGHT] * 3), model=AnswerModel(), k=1)) == 3


def test_sessions_may_come_one_by_one():
    class Sessions(Retriever):
        def load_dataset(self) -> Iterator[Dataset]:
            for number in range(3):
                yield dataset(RIGHT, WRONG, session=f"s{number}")

    assert [metric.total_interactions for metric in Agentic.run(Sessions, AnswerModel(), 1)] == [2, 2, 2]


def test_interactions_may_come_one_by_one():
    class Interactions(Retriever):
        def load_dataset(self) -> Iterator[StreamedBatch]:
            for number in range(4):
                metadata = SessionMetadata(session_id=f"s{number % 2}", assistant_id="a")
                yield StreamedBatch(metadata=metadata, batch=batch(RIGHT))

    assert [metric.total_interactions for metric in Agentic.run(Interactions, AnswerModel(), 1)] == [2, 2]


def test_it_runs_where_an_event_loop_runs_already_as_in_a_notebook():
    async def cell() -> AgenticMetrics:
        return run(RIGHT)

    assert asyncio.run(cell())[0].is_fully_correct is True


def test_an_interrupted_notebook_asks_no_more():
    model = InterruptingModel(asked_before=2)

    async def cell() -> AgenticMetrics:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # the kernel's: not the event loop's
        return run(*[RIGHT] * 100, model=model, concurrency=1)

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(cell())
    assert len(model.asked) < 10


def test_the_offline_model_is_had_by_its_name():
    metrics = run(RIGHT, model="offline")
    assert metrics[0].is_fully_correct is False  # "right" is not what the ground truth says, which is 8


def test_a_model_that_is_away_raises_and_no_figure_is_made_up():
    with pytest.raises(ModelUnavailableError, match="no access to the model"):
        run(DENIED)


def test_what_the_model_refused_is_unknown(caplog: pytest.LogCaptureFixture):
    metrics = run(RIGHT, REFUSED)
    assert (metrics.aggregated.total_conversations, metrics.aggregated.unknown_conversations) == (1, 1)
    assert "1 conversations are unknown" in caplog.text


def test_nothing_to_judge_is_an_error():
    with pytest.raises(ValueError, match="no conversations"):
        run()


def test_the_same_question_answered_by_several_assistants_is_a_question():
    class Assistants(Retriever):
        def load_dataset(self) -> list[Dataset]:
            return [dataset(answer, assistant=f"a{n}") for n, answer in enumerate([RIGHT, WRONG, RIGHT])]

    (question,) = Agentic.run(Assistants, AnswerModel(), 3).questions
    assert (question.qa_id, question.k, question.pass_at_k, question.pass_pow_k) == ("q1", 3, True, False)


def test_bayesian_mode_gives_intervals():
    (metric,) = run(RIGHT, statistical_mode=BayesianMode())
    assert metric.pass_at_k_ci_low is not None
    assert metric.pass_at_k_ci_high is not None
    assert metric.pass_at_k_ci_low < metric.pass_at_k_ci_high


def test_verbose_shows_each_judgement_on_stderr(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(logging.root, "handlers", [])  # as in a script, where nobody has set up logging
    run(RIGHT, verbose=True)
    shown = capsys.readouterr()
    assert "s0, q1: 1.00" in shown.err
    assert shown.out == ""
    run(RIGHT)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("model", "options", "problem"),
    [
        ("os.system", {}, "langchain:os.system is not a chat model"),
        ("langchain:os.system", {}, "^langchain:os.system is not a chat model"),
        (5, {}, "model is int"),
        (AnswerModel(), {"model_params": {"temperature": 0}}, "leave them out"),
        ("offline", {"model_params": {"temperature": 0}}, "leave them out"),
        (AnswerModel(), {"threshold": 70}, "threshold must be from 0 to 1"),
        (AnswerModel(), {"tool_threshold": -1}, "tool_threshold must be from 0 to 1"),
    ],
)
def test_what_can_not_be_used_is_named(model: Any, options: dict[str, Any], problem: str):
    with pytest.raises((ValueError, SettingsError), match=problem):
        run(RIGHT, model=model, **options)


class Loading(Retriever):
    """Loads what it is made with, whatever that is."""

    def load_dataset(self) -> Any:
        return self.kwargs["loaded"]


@pytest.mark.parametrize(
    ("loaded", "problem"),
    [
        (None, "returned None: it must be a list or an iterator of Dataset"),
        (dataset(RIGHT), "returned a value of type Dataset: it must be a list"),
        ([dataset(RIGHT), {"session_id": "s"}], r"a value of type dict .* Dataset.model_validate\(\) makes one"),
        ([dataset(RIGHT), batch(RIGHT)], "a value of type Batch where a Dataset or a StreamedBatch was expected$"),
        ((dataset(RIGHT), [dataset(RIGHT)]), "a value of type list where a Dataset"),
    ],
)
def test_no_model_is_paid_for_what_is_no_conversation(loaded: Any, problem: str):
    model = AnswerModel()
    with pytest.raises(ValueError, match=problem):
        Agentic.run(Loading, model, 3, loaded=loaded)
    assert model.asked == []


def test_an_iterator_that_yields_no_conversation_is_told_so():
    with pytest.raises(ValueError, match="a value of type dict where a Dataset"):
        Agentic.run(Loading, AnswerModel(), 3, loaded=iter([dataset(RIGHT), {}]))


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"threshold": "0.7"}, "threshold must be from 0 to 1, not '0.7'"),
        ({"tool_weights": {"selektion": 1}}, "'selektion' is none of selection"),
        ({"tool_weights": [0.25] * 4}, "weights must be a dictionary"),
        ({"statistical_mode": "bayesian"}, "statistical_mode must be .* not 'bayesian'"),
        ({"statistical_mode": BayesianMode}, "statistical_mode must be .* not <class"),
    ],
)
def test_no_model_is_paid_where_an_argument_is_wrong(options: dict[str, Any], problem: str):
    model = AnswerModel()
    with pytest.raises(ValueError, match=problem):
        run(RIGHT, model=model, **options)
    assert model.asked == []
