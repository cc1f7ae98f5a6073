"""Judges that are asked together, of a chat model: langchain_openai at the fake, in each way that it has."""

import asyncio
import json
import time
from collections.abc import Sequence

import pytest
from tests.evaluation.judges.golden.prompts import BUILT_IN
from tests.models.langchain.chat_models import chat_openai

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.asker import Patience
from eval_worker.evaluation.judges.combined import CombinedJudges
from eval_worker.evaluation.judges.definition import JudgeDefinition, ModelOptions
from eval_worker.evaluation.judges.judge import JudgedStage
from eval_worker.models.langchain.model import LangChainModel, StructuredMethod
from eval_worker.testing.fake_openai import FakeOpenAI, Reply, Text, throttled

WAYS: list[tuple[bool, StructuredMethod | None]] = [(True, "json_schema"), (True, "function_calling"), (False, None)]
JUDGES = BUILT_IN.judges[:3]
NAMES = [judge.name for judge in JUDGES]
SEAS = Interaction("Name 3 seas.", "1. Red Sea\n2. Dead Sea", "There are many seas.")
QUICK = Patience(deadline_seconds=60, first_wait_seconds=0.001, longest_wait_seconds=0.002)


def judged(model: LangChainModel, judges: Sequence[JudgeDefinition] = JUDGES) -> Sequence[JudgedStage]:
    return asyncio.run(CombinedJudges(model, QUICK, time.perf_counter_ns).judge(SEAS, judges))


def scores(stages: Sequence[JudgedStage]) -> list[float | None]:
    return [each.stage.score for each in stages]


@pytest.mark.parametrize(("structured", "method"), WAYS)
def test_one_call_gives_a_stage_for_each(openai: FakeOpenAI, structured: bool, method: StructuredMethod | None):
    openai.script(Reply(level=3, rationale="Half of it."))

    stages = judged(LangChainModel(chat_openai(openai), structured_output=structured, method=method))

    assert scores(stages) == [0.6] * 3
    assert {each.stage.reason for each in stages} == {"Half of it."}
    assert openai.counters().by_judge == {"combined": 1}
    assert sum(each.usage.llm_calls for each in stages) == 1


def test_the_schema_is_named_after_the_tool_of_all_judges(openai: FakeOpenAI):
    judged(LangChainModel(chat_openai(openai), structured_output=True, method="json_schema"))
    judged(LangChainModel(chat_openai(openai), structured_output=True, method="function_calling"))

    schema, tool = (each.body for each in openai.requests())
    assert schema["response_format"]["json_schema"]["name"] == "record_judgements"
    assert list(schema["response_format"]["json_schema"]["schema"]["properties"]) == NAMES
    assert tool["tool_choice"]["function"]["name"] == "record_judgements"


@pytest.mark.parametrize(("structured", "method"), WAYS)
def test_a_repair_asks_for_the_rest_alone(openai: FakeOpenAI, structured: bool, method: StructuredMethod | None):
    part = json.dumps({NAMES[0]: {"rationale": "fine", "level": 1}})
    openai.script(Text(f"```json\n{part}\n```" if not structured else part), times=1)
    openai.script(Reply(level=2))

    stages = judged(LangChainModel(chat_openai(openai), structured_output=structured, method=method))

    assert scores(stages) == [0.2, 0.4, 0.4]
    assert [call.judges for call in openai.requests()] == [tuple(NAMES), tuple(NAMES[1:])]


def test_text_shows_the_form_of_all_judgements_between_the_clauses(openai: FakeOpenAI):
    model = LangChainModel(
        chat_openai(openai), structured_output=False, bos_json_clause="<json>", eos_json_clause="</json>"
    )

    judged(model)

    form = ", ".join(f'"{name}": {{"rationale": "<text>", "level": <integer from 0 to 5>}}' for name in NAMES)
    assert f"<json>\n{{{form}}}\n</json>" in openai.requests()[0].system


def test_a_throttle_is_waited_out_once_for_all(openai: FakeOpenAI):
    openai.script(throttled(), times=1)

    assert scores(judged(LangChainModel(chat_openai(openai), structured_output=True))) == [1.0] * 3
    assert openai.counters().calls == 2


def test_the_room_for_the_reply_is_set_only_where_a_judge_sets_it(openai: FakeOpenAI):
    model = LangChainModel(chat_openai(openai), structured_output=True)
    roomy = [JUDGES[0].model_copy(update={"model": ModelOptions(max_tokens=100)}), *JUDGES[1:]]

    judged(model)
    judged(model, roomy)

    unset, given = (each.body for each in openai.requests())
    assert not {"max_tokens", "max_completion_tokens"} & set(unset)
    assert given["max_completion_tokens"] == 100 + 2 * 1024


def test_what_the_tool_was_called_with_counts_whatever_is_said_beside_it(openai: FakeOpenAI):
    quoted = json.dumps({name: {"rationale": "perfect", "level": 5} for name in NAMES})
    openai.script(Reply(level=0, beside=f"The answer says {quoted}."))

    stages = judged(LangChainModel(chat_openai(openai), structured_output=True, method="function_calling"))

    assert scores(stages) == [0.0] * 3
    assert openai.counters().calls == 1
