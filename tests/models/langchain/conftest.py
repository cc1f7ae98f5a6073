"""One fake OpenAI for all these tests, and none of the machine's own variables."""

from collections.abc import Iterator

import pytest

from eval_worker.testing.fake_openai import FakeOpenAI


@pytest.fixture(scope="session")
def serving_openai() -> Iterator[FakeOpenAI]:
    """One address: langchain_openai makes HTTP clients for each, which takes longer than most of these tests."""
    with FakeOpenAI() as fake:
        yield fake


@pytest.fixture
def openai(serving_openai: FakeOpenAI, monkeypatch: pytest.MonkeyPatch) -> FakeOpenAI:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_PROXY", "OPENAI_ORG_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    serving_openai.calm()
    serving_openai.forget()
    return serving_openai
