"""What a response of Converse is read as, also where it is not as the service promises."""

from typing import Any

import pytest

from eval_worker.evaluation.judges.judge import read_answer
from eval_worker.evaluation.judges.model import BadReply
from eval_worker.evaluation.judges.parse import REPLY_TOOL_NAME
from eval_worker.models.bedrock_response import read_response


@pytest.mark.parametrize("use", [{}, {"input": None}, {"input": []}, {"input": "5"}])
def test_a_tool_call_without_an_object_for_input_is_an_unusable_reply(use: dict[str, Any]):
    content = [{"toolUse": {"toolUseId": "1", "name": REPLY_TOOL_NAME, **use}}]
    response = {"output": {"message": {"role": "assistant", "content": content}}, "stopReason": "tool_use"}

    assert isinstance(read_answer(read_response(response)), BadReply)
