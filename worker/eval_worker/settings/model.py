"""Who is asked, with which keys, how, and for how long."""

import json
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AliasChoices, Field, SecretStr, field_validator

from eval_worker.evaluation.judges.waves import parse_waves
from eval_worker.settings.quantities import Group, Key, PerMinute, Seconds, refused_by

DEFAULT_MODEL_ID = "us.anthropic.claude-3-5-haiku-20241022-v1:0"
LANGCHAIN_PREFIX = "langchain:"


class ModelSettings(Group):
    """The judge model."""

    judge_model: str = "bedrock"
    """`bedrock`, `offline` (no network, no costs, named as such in every result) or `langchain:<class path>`."""
    judge_model_params: SecretStr | None = None
    """What the chat model's constructor takes, a JSON object; secret as a whole."""
    langchain_class_paths: str = ""
    """Class paths, with commas between them, that a request to `/run` may name besides the
    [usual ones](aws-lambda.md)."""
    llm_api_key: SecretStr | None = None
    """For requests without a key of their own; sent to the provider's own address or this machine only."""
    judge_output: Literal["tool", "native", "text"] = "tool"
    """How the reply is structured: a forced `tool`, `native` JSON schema, or `text`."""
    judge_calls: Literal["separate", "combined"] = "separate"
    """`separate`: a call for each judge; `combined`: one call for all judges of an event, cheaper, and
    [not the same](judges.md#five-calls-or-one)."""
    prompt_cache: Literal["auto", "off"] = "auto"
    """`auto` has Bedrock keep what is the same in every prompt of a judge, where
    [the model does that](costs.md#prompt-caching); or `off`."""
    judge_waves: Annotated[str, AfterValidator(partial(refused_by, parse_waves))] = ""
    """Ask the judges in this order and [stop when the verdict is certain](judges.md#wave-after-wave):
    `relevance,faithfulness,completeness;coherence;instruction`; without it all at once."""
    claude_model_id: Key = DEFAULT_MODEL_ID
    """The model or inference profile on Bedrock."""
    aws_region: Key = Field("us-east-1", validation_alias=AliasChoices("aws_region", "aws_default_region"))
    """The region of Bedrock; AWS_DEFAULT_REGION does as well."""
    aws_endpoint_url_bedrock_runtime: str | None = None
    """Another address of Bedrock: a VPC endpoint, or a fake."""
    # boto3 reads these by itself; they are known here so that they can be hidden.
    aws_secret_access_key: SecretStr | None = None
    """Read by boto3, as are AWS_ACCESS_KEY_ID, AWS_PROFILE and all it knows; named here only to be hidden in logs."""
    aws_session_token: SecretStr | None = None
    """As above."""
    aws_bearer_token_bedrock: SecretStr | None = None
    """As above: an API key of Bedrock."""
    http_proxy: SecretStr | None = None
    """The proxy to the provider, read by the client libraries; a password in it is hidden in logs."""
    https_proxy: SecretStr | None = None
    """As above."""
    judges_file: str | None = None
    """[Your own judges](judges.md#reword-add-or-drop-one), laid over the built-in ones."""
    judge_timeout_seconds: Seconds = 15
    """One judge's deadline, all attempts included; it begins with its first turn."""
    calls_per_minute: PerMinute | None = None
    """The model's quota of calls, where you know it, for [all workers together](limits.md); without it, it is found
    out."""
    tokens_per_minute: PerMinute | None = None
    """The model's quota of tokens, likewise."""
    hedge_after_seconds: Seconds | None = None
    """Ask [a second time](limits.md#late-answers) where an answer takes longer; costs a call."""
    judgement_cache_seconds: Annotated[float, Field(ge=0, le=31_536_000, allow_inf_nan=False)] = 3_600
    """How long judgements are kept, so that a text that comes again is not paid for again; 0 keeps none."""

    @field_validator("judge_model")
    @classmethod
    def _known_model(cls, value: str) -> str:
        kind, colon, class_path = value.partition(":")
        model = kind.lower() + colon + class_path.strip()
        if model not in {"bedrock", "offline"} and not (model.startswith(LANGCHAIN_PREFIX) and class_path.strip()):
            raise ValueError(f"must be bedrock, offline or langchain:<class path>, not {value!r}")
        return model

    @field_validator("judge_model_params")
    @classmethod
    def _json_object(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not isinstance(_json(value), dict):
            raise ValueError("must be a JSON object of the chat model's parameters")
        return value

    @field_validator("aws_endpoint_url_bedrock_runtime")
    @classmethod
    def _without_password(cls, value: str | None) -> str | None:
        if value is not None and "@" in value:
            raise ValueError("must hold no user or password: they would not be sent")
        return value

    @property
    def chat_model_class_path(self) -> str | None:
        """The class that JUDGE_MODEL=langchain:<class path> names; None for another model."""
        is_langchain = self.judge_model.startswith(LANGCHAIN_PREFIX)
        return self.judge_model.removeprefix(LANGCHAIN_PREFIX) if is_langchain else None

    @property
    def chat_model_params(self) -> dict[str, Any]:
        """What JUDGE_MODEL_PARAMS gives its constructor; holds secrets."""
        return _json(self.judge_model_params) if self.judge_model_params else {}

    @property
    def allowed_class_paths(self) -> frozenset[str]:
        """What requests may name besides the built-in class paths."""
        return frozenset(filter(None, map(str.strip, self.langchain_class_paths.split(","))))


def _json(text: SecretStr) -> Any:
    """Return None for what is not JSON. The parser's own message could show a part of the secret."""
    try:
        return json.loads(text.get_secret_value())
    except (ValueError, RecursionError):
        return None
