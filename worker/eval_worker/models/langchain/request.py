"""What is asked of a chat model: a request as messages, and the form of its reply as LangChain takes it."""

from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from eval_worker.evaluation.judges.model import ModelRequest
from eval_worker.evaluation.judges.reply_form import ReplyForm
from eval_worker.models.repair import repair_turns
from eval_worker.nonces import fresh_nonce

_STRUCTURED = "by the given schema"


@dataclass(frozen=True, slots=True)
class JsonClauses:
    """What stands before and after the JSON where a model is asked for text."""

    begin: str
    end: str


def named_schema(form: ReplyForm) -> dict[str, Any]:
    """LangChain wants a schema to have a name, which becomes a tool's where those are used, and a purpose."""
    return {"title": form.tool, "description": form.purpose, **form.schema}


def messages_for(request: ModelRequest, clauses: JsonClauses | None) -> list[BaseMessage]:
    """Return the conversation that asks for one reply.

    Args:
        request: the question and, on the second attempt, the first reply and what was wrong with it.
        clauses: around the JSON of a model that is asked for text; None where its output is structured.
    """
    prompt = request.prompt(nonce=fresh_nonce())
    how = _as_json_between(clauses, request.form) if clauses else _STRUCTURED
    system = f"{prompt.system}\n\n{how}" if clauses else prompt.system
    messages: list[BaseMessage] = [SystemMessage(system), HumanMessage(prompt.user)]
    if request.repair:
        said, asked = repair_turns(request.repair, how)
        messages += [AIMessage(said), HumanMessage(asked)]
    return messages


def _as_json_between(clauses: JsonClauses, form: ReplyForm) -> str:
    return (
        "Reply with one JSON object and nothing else, in this form:\n"
        f"{clauses.begin}\n{form.example}\n{clauses.end}\n{form.order}"
    )
