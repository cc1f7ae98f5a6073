"""JUDGE_MODEL=langchain:<class path>, JUDGE_MODEL_PARAMS and what belongs to them."""

import json
from typing import Any

import pytest
from tests.models.langchain.chat_models import API_KEY

from eval_worker.errors import SettingsError
from eval_worker.settings import Settings, load_settings
from eval_worker.wiring.judge_model import build_judge_model
from eval_worker.wiring.judging import read_judges

OPENAI = "langchain:langchain_openai.chat_models.ChatOpenAI"


def settings_with(params: Any, **more: Any) -> Settings:
    return load_settings(**{"judge_model": OPENAI, "judge_model_params": json.dumps(params), **more})


def test_the_class_path_keeps_its_case():
    settings = settings_with({}, judge_model="LangChain:langchain_openai.chat_models.ChatOpenAI")

    assert settings.judge_model == OPENAI
    assert settings.chat_model_class_path == "langchain_openai.chat_models.ChatOpenAI"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"judge_model": "langchain:"}, "JUDGE_MODEL: must be bedrock, offline or langchain:<class path>"),
        ({"judge_model": "langchain"}, "JUDGE_MODEL: must be bedrock, offline or langchain:<class path>"),
        ({"judge_model_params": '{"api_key": "sk-0123456789abcdef", '}, "JUDGE_MODEL_PARAMS: must be a JSON object"),
        ({"judge_model_params": '["sk-0123456789abcdef"]'}, "JUDGE_MODEL_PARAMS: must be a JSON object"),
        ({"judge_model_params": "[" * 100_000}, "JUDGE_MODEL_PARAMS: must be a JSON object"),
        ({"judge_model": "bedrock", "judge_model_params": "{}"}, "JUDGE_MODEL_PARAMS is for JUDGE_MODEL=langchain:"),
    ],
)
def test_what_does_not_fit_is_named_and_not_shown(given: dict[str, str], said: str):
    with pytest.raises(SettingsError) as refused:
        load_settings(**{"judge_model": OPENAI, **given})

    assert said in str(refused.value)
    assert "sk-0123" not in str(refused.value)


def test_a_flag_may_ask_for_the_offline_model_all_the_same():
    assert settings_with({"model": "m"}, judge_model="offline").judge_model == "offline"


def test_the_parameters_are_a_secret():
    settings = settings_with(
        {
            "model": "gpt-fake",
            "api_key": "key-one-1234",
            "max_tokens": 5,
            "default_headers": {"Authorization": "Bearer key-two-1234", "X-Api-Key": ["key-three-1234"]},
            "nested": [{"client_secret": "key-four-1234"}],
            "openai_proxy": "http://me:key-five-1234@proxy:1",
        },
        llm_api_key="key-six-1234",
    )

    numbers = ("one", "two", "three", "four", "five", "six")
    assert {f"key-{number}-1234" for number in numbers} <= settings.secrets
    assert "gpt-fake" not in settings.secrets
    assert not any(f"key-{number}" in repr(settings) + str(settings.model_dump()) for number in numbers)


def test_the_settings_make_the_model():
    settings = settings_with({"model": "gpt-fake", "api_key": API_KEY})

    model = build_judge_model(settings, read_judges(settings))

    assert model.name == "langchain:ChatOpenAI/gpt-fake"


@pytest.mark.parametrize(
    ("judge_model", "params", "said"),
    [
        ("langchain:os.system", {}, "JUDGE_MODEL, JUDGE_MODEL_PARAMS: langchain:os.system is not a chat model"),
        (OPENAI, {"modle": "m", "api_key": API_KEY}, "ChatOpenAI has no parameter 'modle': did you mean model?"),
    ],
)
def test_a_model_that_cannot_be_made_stops_the_start(judge_model: str, params: dict[str, str], said: str):
    settings = settings_with(params, judge_model=judge_model)

    with pytest.raises(SettingsError) as refused:
        build_judge_model(settings, read_judges(settings))

    assert said in str(refused.value)
    assert API_KEY not in str(refused.value)


def test_class_paths_for_requests_are_a_list_with_commas():
    settings = load_settings(judge_model="offline", langchain_class_paths=" a.B , c.D,,")

    assert settings.allowed_class_paths == {"a.B", "c.D"}
