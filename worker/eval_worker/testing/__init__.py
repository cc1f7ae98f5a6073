"""What users and our own tests test with: a fake Bedrock that speaks real Converse over HTTP.

    from eval_worker.testing import FakeBedrock, Throttle, judge

    with FakeBedrock() as bedrock:
        bedrock.reply(level=2, when=judge("faithfulness"))
        bedrock.script(Throttle(retry_after=1), times=3)
        bedrock.latency(0.5)
        ...  # point boto3 or a worker at bedrock.url
        assert bedrock.counters().calls == 5

`eval_worker.testing.fake_bedrock` says more, and how to run it as a process of its own. Standard library only.
"""

from eval_worker.testing.fake_bedrock.call import Call
from eval_worker.testing.fake_bedrock.converse import tokens
from eval_worker.testing.fake_bedrock.failures import (
    AccessDenied,
    AwsError,
    Drop,
    Garbage,
    ModelError,
    ModelTimeout,
    RefusePromptCaching,
    RefuseTemperature,
    ServerError,
    Throttle,
    Trickle,
)
from eval_worker.testing.fake_bedrock.outcome import Outcome
from eval_worker.testing.fake_bedrock.remote import RemoteFakeBedrock
from eval_worker.testing.fake_bedrock.replies import (
    ContentFiltered,
    Judgements,
    MalformedReply,
    PlainText,
    Reply,
    Stopped,
    Truncated,
)
from eval_worker.testing.fake_bedrock.server import FakeBedrock
from eval_worker.testing.fake_provider.condition import ANY_CALL, Condition, first_ask, judge, model_id, text
from eval_worker.testing.fake_provider.counters import Counters

__all__ = [
    "ANY_CALL",
    "AccessDenied",
    "AwsError",
    "Call",
    "Condition",
    "ContentFiltered",
    "Counters",
    "Drop",
    "FakeBedrock",
    "Garbage",
    "Judgements",
    "MalformedReply",
    "ModelError",
    "ModelTimeout",
    "Outcome",
    "PlainText",
    "RefusePromptCaching",
    "RefuseTemperature",
    "RemoteFakeBedrock",
    "Reply",
    "ServerError",
    "Stopped",
    "Throttle",
    "Trickle",
    "Truncated",
    "first_ask",
    "judge",
    "model_id",
    "text",
    "tokens",
]
