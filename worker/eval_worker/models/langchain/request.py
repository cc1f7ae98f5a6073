"""What is asked of a chat model: one judge's request as messages."""

import secrets

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from eval_worker.evaluation.judges.model import JudgeRequest
from eval_worker.evaluation.judges.parse import REPLY_SCHEMA, REPLY_TOOL_NAME
from eval_worker.evaluation.judges.prompt import render_prompt
from eval_worker.models.repair import repair_turns

_NONCE_BYTES = 8
STRUCTURED = "by the given schema"
# LangChain wants a schema to have a name and to say what it is for; the name becomes a tool's where tools are used.
NAMED_SCHEMA = {
    "title": REPLY_TOOL_NAME,
    "description": "Records the judgement: the rationale first, then the level that follows from it.",
    **REPLY_SCHEMA,
}


def as_json_between(bos_json_clause: str, eos_json_clause: str) -> str:
    """Say how to reply where the model is asked for text."""
    example = '{"rationale": "<text>", "level": <integer from 0 to 5>}'
    return (
        "Reply with one JSON object and nothing else, in this form:\n"
        f"{bos_json_clause}\n{example}\n{eos_json_clause}\nWrite the rationale first."
    )


def messages_for(request: JudgeRequest, how: str) -> list[BaseMessage]:
    """Return the conversation that asks for one judgement.

    Args:
        request: judge, interaction and, on the second attempt, the first reply and what was wrong with it.
        how: the form in which to reply, `STRUCTURED` or what `as_json_between` says.
    """
    prompt = render_prompt(request, nonce=secrets.token_hex(_NONCE_BYTES))
    system = prompt.system if how == STRUCTURED else f"{prompt.system}\n\n{how}"
    messages: list[BaseMessage] = [SystemMessage(system), HumanMessage(prompt.user)]
    if request.repair:
        said, asked = repair_turns(request.repair, how)
        messages += [AIMessage(said), HumanMessage(asked)]
    return messages
