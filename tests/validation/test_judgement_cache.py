"""What a model has said once is not asked again, and nothing else is taken for it."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.evaluation.judges.scripted_model import ScriptedLanguageModel, ScriptedModel, combined_reply, reply
from tests.failures.switchable_model import THROTTLED, SwitchableModel

from eval_worker import __version__
from eval_worker.errors import SettingsError
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.model import Judgement, JudgeModel, LanguageModel
from eval_worker.evaluation.judges.request import CombinedRequest, JudgeRequest
from eval_worker.models.offline import OfflineModel
from eval_worker.settings import load_settings
from eval_worker.validation.judgement_cache import CachedModel, JudgementCache, cached
from eval_worker.wiring.judging import read_judges

INTERACTION = Interaction("Who?", "It was me.", "It was me.")


def judge() -> JudgeDefinition:
    return read_judges(load_settings(judge_model="offline")).judges[0]


def ask(path: Path, model: JudgeModel, request: JudgeRequest | None = None) -> object:
    cache = JudgementCache.open(path)
    try:
        return asyncio.run(CachedModel(model, cache).ask(request or JudgeRequest(judge(), INTERACTION)))
    finally:
        cache.close()


def test_a_judgement_is_there_for_the_next_run(tmp_path: Path):
    model = SwitchableModel()

    ask(tmp_path / "c", model)
    again = ask(tmp_path / "c", model)

    assert model.calls == 1
    assert isinstance(again, Judgement)
    assert again.score == 1.0


def test_what_was_lost_on_the_way_is_asked_again(tmp_path: Path):
    model = SwitchableModel(THROTTLED)

    ask(tmp_path / "c", model)
    model.failure = None
    answer = ask(tmp_path / "c", model)

    assert answer == reply(5)
    assert model.calls == 2


@pytest.mark.parametrize(
    "request_",
    [
        JudgeRequest(judge(), Interaction("Who?", "It was you.", "It was me.")),
        JudgeRequest(judge(), Interaction("Who?", "It was me.", "")),
        JudgeRequest(judge().model_copy(update={"question": "Is it kind?"}), INTERACTION),
    ],
    ids=["another answer", "another context", "another wording"],
)
def test_something_else_is_asked(tmp_path: Path, request_: JudgeRequest):
    model = SwitchableModel()

    ask(tmp_path / "c", model)
    ask(tmp_path / "c", model, request_)

    assert model.calls == 2


def test_another_model_or_another_version_is_asked(tmp_path: Path):
    ask(tmp_path / "c", SwitchableModel())
    other = SwitchableModel()
    other.name = "another"

    ask(tmp_path / "c", other)
    lines = [json.loads(line) for line in (tmp_path / "c").read_text().splitlines()]
    assert {line["version"] for line in lines} == {__version__}
    lines = [line | {"version": "0.0.1"} for line in lines]
    (tmp_path / "c").write_text("".join(json.dumps(line) + "\n" for line in lines))
    ask(tmp_path / "c", other)

    assert other.calls == 2


def test_a_line_that_a_kill_cut_off_costs_that_judgement_alone(tmp_path: Path):
    model = SwitchableModel()
    other = JudgeRequest(judge(), Interaction("Who?", "It was you.", ""))
    ask(tmp_path / "c", model)
    ask(tmp_path / "c", model, other)
    whole = (tmp_path / "c").read_text()
    (tmp_path / "c").write_text(whole[:-20])

    ask(tmp_path / "c", model)
    ask(tmp_path / "c", model, other)
    ask(tmp_path / "c", model, other)

    assert model.calls == 3


def test_a_reason_with_line_ends_of_unicode_is_found_again(tmp_path: Path):
    model = ScriptedModel(reply(5, "one\u2028two\u2029three\u0085four"))

    first = ask(tmp_path / "c", model)
    again = ask(tmp_path / "c", model)

    assert first == reply(5, "one\u2028two\u2029three\u0085four")
    assert len(model.requests) == 1
    assert isinstance(again, Judgement)


def test_a_line_that_a_full_disk_cut_off_within_a_letter_costs_that_judgement_alone(tmp_path: Path):
    model = SwitchableModel()
    ask(tmp_path / "c", model)
    with (tmp_path / "c").open("ab") as file:
        file.write(b'{"reason": "\xc3')

    ask(tmp_path / "c", model)
    ask(tmp_path / "c", model)

    assert model.calls == 1


def test_texts_are_not_kept_in_the_cache(tmp_path: Path):
    ask(tmp_path / "c", SwitchableModel())

    assert "It was me" not in (tmp_path / "c").read_text()


def test_another_file_is_refused_and_left_as_it_was(tmp_path: Path):
    (tmp_path / "c").write_text('{"event_id": "e"}\n')

    with pytest.raises(SettingsError, match="holds no judgements"):
        JudgementCache.open(tmp_path / "c")

    assert (tmp_path / "c").read_text() == '{"event_id": "e"}\n'


FIVE = read_judges(load_settings(judge_model="offline")).judges
ALL = combined_reply(**dict.fromkeys((each.name for each in FIVE), 3))


def ask_together(path: Path, model: ScriptedLanguageModel, judges: Sequence[JudgeDefinition] = FIVE) -> object:
    cache = JudgementCache.open(path)
    try:
        asked = cached(model, cache)
        assert isinstance(asked, LanguageModel)
        request = CombinedRequest(tuple(judges), INTERACTION)
        return request.read(asyncio.run(asked.ask(request)))
    finally:
        cache.close()


def test_judges_that_were_asked_together_are_there_for_the_next_run_and_cost_nothing(tmp_path: Path):
    model = ScriptedLanguageModel(ALL)

    first = ask_together(tmp_path / "c", model)
    again = ask_together(tmp_path / "c", model)

    assert first == again == {each.name: Judgement(0.6, f"{each.name} says why") for each in FIVE}
    assert len(model.requests) == 1


def test_a_judge_alone_and_one_among_others_are_asked_each_for_itself(tmp_path: Path):
    model = ScriptedLanguageModel(ALL, ALL, reply(5))

    ask_together(tmp_path / "c", model)
    ask_together(tmp_path / "c", model, FIVE[:3])
    cache = JudgementCache.open(tmp_path / "c")
    alone = asyncio.run(cached(model, cache).ask(JudgeRequest(FIVE[0], INTERACTION)))
    cache.close()

    assert alone == reply(5)
    assert len(model.requests) == 3


def test_of_a_reply_with_an_unusable_part_the_others_alone_are_kept(tmp_path: Path):
    broken = combined_reply(**{each.name: 3 for each in FIVE[:-1]})
    model = ScriptedLanguageModel(broken, ALL)

    ask_together(tmp_path / "c", model)
    assert len((tmp_path / "c").read_text().splitlines()) == len(FIVE) - 1
    ask_together(tmp_path / "c", model)

    assert len(model.requests) == 2


def test_a_model_that_makes_no_calls_is_asked_judge_by_judge_here_too(tmp_path: Path):
    cache = JudgementCache.open(tmp_path / "c")

    assert not isinstance(cached(OfflineModel(), cache), LanguageModel)
    cache.close()
