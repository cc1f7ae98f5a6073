"""Class paths: whoever starts the process may name any chat model, a request only those that are allowed."""

import json
import subprocess
import sys
from typing import Any

import pytest
from langchain_openai import ChatOpenAI
from pydantic import SecretStr
from tests.models.langchain.chat_models import API_KEY

from eval_worker.errors import ConnectorError, SettingsError
from eval_worker.models.langchain.opening import open_chat_model
from eval_worker.models.langchain.requested import open_requested_model

OPENAI = "langchain_openai.chat_models.ChatOpenAI"
PICKY = "tests.models.langchain.chat_models.Picky"
VALIDATING = "tests.models.langchain.chat_models.Validating"
SYNC_ONLY = "tests.models.langchain.chat_models.SyncOnly"
SERVERS_KEY = SecretStr("sk-the-servers-own-key-0123456789")
UNUSED = {"uu", "antigravity", "this", "wsgiref"}  # of the standard library, which nothing here loads


def test_a_class_is_made_with_its_parameters_and_without_retries():
    made = open_chat_model(OPENAI, {"model": "m", "api_key": API_KEY, "max_retries": 9})

    assert isinstance(made, ChatOpenAI)
    assert (made.model_name, made.max_retries) == ("m", 0)


def test_nobody_is_called_while_a_class_is_made():
    made = open_chat_model(VALIDATING, {"validate_model_on_init": True, "reply": "as given"})

    assert made.model_dump(include={"validate_model_on_init", "reply"}) == {
        "validate_model_on_init": False,
        "reply": "as given",
    }


@pytest.mark.parametrize(
    ("class_path", "params", "said"),
    [
        ("os.system", {}, "langchain:os.system is not a chat model of LangChain"),
        ("subprocess.Popen", {}, "langchain:subprocess.Popen is not a chat model of LangChain"),
        ("langchain_openai.OpenAIEmbeddings", {}, "is not a chat model of LangChain"),
        ("langchain_openai.ChatNothing", {}, "is not a chat model of LangChain"),
        ("ChatOpenAI", {}, "must name module and class"),
        ("langchain_openai..ChatOpenAI", {}, "must name module and class"),
        ("no_such_package.ChatX", {}, "needs the package no_such_package, which is not installed"),
        ("langchain_nobody.ChatX", {}, "which is not installed: pip install langchain-nobody"),
        ("langchain_openai.nothing.ChatX", {}, "there is no module langchain_openai.nothing"),
        (OPENAI, {"temperatur": 1}, "ChatOpenAI has no parameter 'temperatur': did you mean temperature?"),
        (OPENAI, {"temperature": f"hot {API_KEY}"}, "ChatOpenAI refuses the parameter temperature: "),
        (OPENAI, {"model": "m"}, "ChatOpenAI refuses its parameters"),
        (PICKY, {"api_key": API_KEY}, "Picky refuses its parameters: RuntimeError: no service for […]"),
    ],
)
def test_what_is_wrong_is_named_without_any_value(
    class_path: str, params: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    key = {} if params == {"model": "m"} or class_path != OPENAI else {"api_key": API_KEY}

    with pytest.raises(SettingsError) as refused:
        open_chat_model(class_path, {**key, **params})

    assert said in str(refused.value)
    assert API_KEY not in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "class_path",
    ["os.system", "subprocess.Popen", "", "builtins.eval", "langchain_openai.chat_models.base.ChatOpenAI",
     "langchain_openai.chat_models.ChatOpenAI ", "LANGCHAIN_OPENAI.ChatOpenAI", "x" * 10_000],
)  # fmt: skip
def test_a_request_may_name_nothing_but_what_is_listed(class_path: str):
    with pytest.raises(ConnectorError, match="is not allowed here") as refused:
        open_requested_model(class_path, {"api_key": API_KEY})

    assert len(str(refused.value)) < 1000
    assert class_path[:100] in str(refused.value)


def test_what_a_request_may_not_name_is_not_imported():
    program = f"""
import sys, json
from eval_worker.errors import ConnectorError
from eval_worker.models.langchain.requested import open_requested_model
before = set(sys.modules)
for path in ["os.system", "subprocess.Popen", *(name + ".Chat" for name in {sorted(UNUSED)!r})]:
    try:
        open_requested_model(path, {{}})
    except ConnectorError as error:
        assert path in str(error), error
    else:
        raise AssertionError(path)
print(json.dumps(sorted(set(sys.modules) - before)))
print("langchain_core" in sys.modules, "subprocess" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    loaded, others = done.stdout.splitlines()
    assert json.loads(loaded) == []
    assert others == "False False"


def test_the_operator_may_allow_more():
    path = "langchain_openai.AzureChatOpenAI"
    params = {"api_key": API_KEY, "azure_endpoint": "http://127.0.0.1:1", "api_version": "1"}

    with pytest.raises(ConnectorError):
        open_requested_model(path, params)

    assert type(open_requested_model(path, params, also_allowed={path}).chat_model).__name__ == "AzureChatOpenAI"


def test_an_allowed_class_that_is_not_installed_says_what_to_install():
    with pytest.raises(ConnectorError, match="pip install langchain-groq"):
        open_requested_model("langchain_groq.chat_models.ChatGroq", {"api_key": API_KEY})


def key_of(made: Any) -> str:
    return made.openai_api_key.get_secret_value()


def test_a_requests_own_key_comes_first():
    made = open_requested_model(OPENAI, {"openai_api_key": API_KEY}, fallback_key=SERVERS_KEY).chat_model

    assert key_of(made) == API_KEY


@pytest.mark.parametrize(
    "params",
    [
        {"model": "m", "temperature": 0},
        {"model": "m", "api_key": ""},
        {"model": "m", "api_key": None},
        {"base_url": "http://127.0.0.1:8000/v1"},
        {"base_url": "http://localhost:8000/v1"},
        {"openai_api_base": "http://[::1]:8000/v1"},
    ],
)
def test_the_servers_key_is_used_where_it_can_go_nowhere_else(params: dict[str, Any]):
    assert (
        key_of(open_requested_model(OPENAI, params, fallback_key=SERVERS_KEY).chat_model)
        == SERVERS_KEY.get_secret_value()
    )


@pytest.mark.parametrize(
    "params",
    [
        {"base_url": "https://evil.example/v1"},
        {"base_url": "http://127.0.0.1@evil.example/v1"},
        {"base_url": "http://127.0.0.1.evil.example/v1"},
        {"base_url": "http://127.0.0.1:80\\@evil.example/v1"},
        {"base_url": "http://localhost:80#@evil.example/"},
        {"base_url": "http://localhost?@evil.example/"},
        {"base_url": ["http://localhost"]},
        {"openai_api_base": "https://evil.example/v1"},
        {"openai_proxy": "http://evil.example"},
        {"openai_proxy": "http://127.0.0.1:1"},
        {"default_headers": {"Host": "evil.example"}},
        {"default_query": {"a": "b"}},
        {"model_kwargs": {"extra_headers": {}}},
        {"http_client": None},
        {"openai_organization": "org"},
    ],
)
def test_the_servers_key_is_not_carried_where_a_request_says(params: dict[str, Any]):
    with pytest.raises(ConnectorError, match="api_key is required beside") as refused:
        open_requested_model(OPENAI, {"model": "m", **params}, fallback_key=SERVERS_KEY)

    assert SERVERS_KEY.get_secret_value() not in str(refused.value)


@pytest.mark.parametrize("params", [{}, {"base_url": "https://evil.example/v1"}])
def test_a_key_in_the_servers_environment_is_no_requests(params: dict[str, Any], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", SERVERS_KEY.get_secret_value())

    with pytest.raises(ConnectorError, match="api_key is required"):
        open_requested_model(OPENAI, params)


def test_a_class_that_takes_no_key_is_made_without_the_one_that_every_request_is_asked_for():
    params = {"api_key": API_KEY, "reply": "…"}

    made = open_requested_model(SYNC_ONLY, params, also_allowed={SYNC_ONLY}, fallback_key=SERVERS_KEY).chat_model

    assert getattr(made, "reply", None) == "…"
    assert not hasattr(made, "api_key")
