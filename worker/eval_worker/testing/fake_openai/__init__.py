"""An OpenAI that is none: real chat completions over HTTP on 127.0.0.1, answers at once, fails on demand.

Anything that speaks to `/v1/chat/completions` can be pointed at it. It answers in the form that a request asks for: a
tool by its schema, structured output by its schema, else JSON in text, always with the highest level.

    from langchain_openai import ChatOpenAI
    from eval_worker.testing.fake_openai import FakeOpenAI, Reply, throttled
    from eval_worker.testing.fake_provider.condition import judge

    with FakeOpenAI() as openai:
        model = ChatOpenAI(model="fake", api_key="fake", base_url=openai.base_url)
        openai.script(throttled(retry_after=1), when=judge("faithfulness"), times=3)
        openai.script(Reply(level=2))          # until told otherwise
        openai.calm()                          # all well again
        assert openai.counters().calls == 5

As a process of its own, to try a worker with:

    python -m eval_worker.testing.fake_openai --port 8098 &
    export JUDGE_MODEL=langchain:langchain_openai.chat_models.ChatOpenAI
    export JUDGE_MODEL_PARAMS='{"model": "fake", "api_key": "fake", "base_url": "http://127.0.0.1:8098/v1"}'
    eval-worker run --embedded
"""

from eval_worker.testing.fake_openai.call import ChatCall
from eval_worker.testing.fake_openai.outcomes import (
    Drop,
    Garbage,
    Outcome,
    Refusal,
    Refused,
    Reply,
    Text,
    no_quota,
    throttled,
)
from eval_worker.testing.fake_openai.server import FakeOpenAI

__all__ = [
    "ChatCall",
    "Drop",
    "FakeOpenAI",
    "Garbage",
    "Outcome",
    "Refusal",
    "Refused",
    "Reply",
    "Text",
    "no_quota",
    "throttled",
]
