"""Judges' questions answered by a chat model of LangChain."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import BaseMessage
from pydantic import SecretStr

from eval_worker.errors import SettingsError
from eval_worker.evaluation.judges.definition import ModelOptions
from eval_worker.evaluation.judges.model import (
    FailureKind,
    LanguageModel,
    ModelFailure,
    ModelReply,
    ModelRequest,
)
from eval_worker.evaluation.judges.reply_form import ONE_JUDGEMENT, ReplyForm
from eval_worker.models.calls_loop import in_calls_loop
from eval_worker.models.langchain.environment import forget_environment
from eval_worker.models.langchain.failures import classify
from eval_worker.models.langchain.own_copy import own_copy_of
from eval_worker.models.langchain.parameters import field_named
from eval_worker.models.langchain.request import JsonClauses, messages_for, named_schema
from eval_worker.models.langchain.response import read_structured, read_text
from eval_worker.models.provider_failures import bad_response
from eval_worker.redaction import secret_values, without_secrets

StructuredMethod = Literal["function_calling", "json_schema"]

_MOST_CALLS = 128  # made with LangChain's own weight: a thousand would take megabytes

# What classes call the options that a judges file may set.
_OPTION_NAMES = {
    "model_id": ("model", "model_name", "model_id"),
    "temperature": ("temperature",),
    "max_tokens": ("max_tokens", "max_completion_tokens", "max_output_tokens", "num_predict"),
}


class LangChainModel(LanguageModel):
    """One attempt a question: retries belong to the judge, so the chat model is called through a copy that has none.

    A call that is given up is cancelled; where the class has no async calls of its own it goes on in a daemon thread,
    and nobody waits for it. The judge's `max_tokens`, `temperature` and `model_id` count only where its definition sets
    them; all else is as the chat model was made.
    """

    def __init__(
        self,
        chat_model: BaseChatModel,
        *,
        structured_output: bool,
        method: StructuredMethod | None = None,
        bos_json_clause: str = "```json",
        eos_json_clause: str = "```",
        nothing_but: Mapping[str, Any] | None = None,
    ) -> None:
        """Make a judge model; no call is made.

        Args:
            chat_model: what is called.
            structured_output: by the class's own `with_structured_output`; else JSON in text.
            method: how, of the ways that the class has; None for its own default.
            bos_json_clause: what stands before the JSON in text.
            eos_json_clause: what stands after it.
            nothing_but: the constructor's parameters, where nothing of the environment may go along with them.

        Raises:
            SettingsError: the class has no structured output, or not by that method.
        """
        self._chat_model = own_copy_of(chat_model)
        if nothing_but is not None:
            forget_environment(self._chat_model, nothing_but)
        self._structured_output = structured_output
        self._method: StructuredMethod | None = method
        self._clauses = None if structured_output else JsonClauses(bos_json_clause, eos_json_clause)
        self._redact = partial(without_secrets, known=_secrets_of(chat_model))
        self._calls: OrderedDict[tuple[str, ReplyForm], _Call] = OrderedDict()
        self._call_for(ModelOptions(), ONE_JUDGEMENT)

    @property
    def name(self) -> str:
        """Class and model id: `langchain:ChatOpenAI/gpt-4o-mini`."""
        field = field_named(type(self._chat_model), *_OPTION_NAMES["model_id"])
        model_id: object = getattr(self._chat_model, field) if field else None
        return f"langchain:{type(self._chat_model).__name__}" + (f"/{model_id}" if isinstance(model_id, str) else "")

    async def ask(self, request: ModelRequest) -> ModelReply | ModelFailure:
        try:
            call = self._call_for(request.options, request.form)
        except SettingsError as error:
            return ModelFailure(FailureKind.OUTAGE, "configuration", f"judge {request.asked_by}: {error}")
        messages = messages_for(request, self._clauses)
        return await in_calls_loop(partial(self._attempt, call, messages, request.form.tool))

    def close(self) -> None:
        """Do nothing: connections may be shared with other models of the process, and idle ones are closed in time."""

    async def _attempt(self, call: "_Call", messages: list[BaseMessage], tool: str) -> ModelReply | ModelFailure:
        try:
            answer: object = await call(messages)
        except Exception as error:  # noqa: BLE001, only LangChain and its providers run in there, and garbage raises anything
            return classify(error, self._redact)
        try:
            return read_structured(answer, tool) if self._structured_output else read_text(answer)
        except RecursionError:
            return bad_response("a reply that is nested too deeply")

    def _call_for(self, options: ModelOptions, form: ReplyForm) -> "_Call":
        """Return what is called for requests with these options and this form, made once for those in use."""
        key = options.model_dump_json(exclude_unset=True), form
        if key not in self._calls:
            self._calls[key] = self._make_call(_with_options(self._chat_model, options), form)
            while len(self._calls) > _MOST_CALLS:
                self._calls.popitem(last=False)
        self._calls.move_to_end(key)
        return self._calls[key]

    def _make_call(self, chat_model: BaseChatModel, form: ReplyForm) -> "_Call":
        if not self._structured_output:
            return chat_model.ainvoke
        how = {"method": self._method} if self._method else {}
        try:
            structured = chat_model.with_structured_output(named_schema(form), include_raw=True, **how)
        except (NotImplementedError, TypeError, ValueError, ImportError) as error:
            raise SettingsError(
                f"{type(chat_model).__name__} has no structured output{f' by {self._method}' if self._method else ''}: "
                "ask for text instead (JUDGE_OUTPUT=text, or use_structured_output false)"
            ) from error
        return structured.ainvoke


_Call = Callable[[list[BaseMessage]], Any]


def _with_options(chat_model: BaseChatModel, options: ModelOptions) -> BaseChatModel:
    update: dict[str, object] = {}
    for option in sorted(options.model_fields_set):
        value = getattr(options, option)
        if value is None:
            continue
        field = field_named(type(chat_model), *_OPTION_NAMES[option])
        if field is None:
            raise SettingsError(f"{type(chat_model).__name__} has no parameter for {option}: leave it out")
        update[field] = value
    return chat_model.model_copy(update=update) if update else chat_model


def _secrets_of(chat_model: BaseChatModel) -> frozenset[str]:
    values: dict[str, object] = {name: getattr(chat_model, name) for name in type(chat_model).model_fields}
    hidden = {value.get_secret_value() for value in values.values() if isinstance(value, SecretStr)}
    return secret_values(values) | hidden
