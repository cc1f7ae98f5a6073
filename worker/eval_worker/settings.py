"""Every setting, read once from the environment and `.env`; flags override."""

import json
import math
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import unquote

from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic import AfterValidator, AliasChoices, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from eval_worker.errors import SettingsError
from eval_worker.evaluation.judges.waves import parse_waves
from eval_worker.evaluation.sampling import parse_sample_rates
from eval_worker.invalid_field import first_problem
from eval_worker.redaction import passwords, secret_values

DEFAULT_REDIS_ADDR = "localhost:6379"
DEFAULT_METRICS_PORT = 9464
DEFAULT_API_PORT = 18_081
HIGHEST_PORT = 65_535
SHORTEST_API_KEY = 16
DEFAULT_MODEL_ID = "us.anthropic.claude-3-5-haiku-20241022-v1:0"
LANGCHAIN_PREFIX = "langchain:"

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Seconds = Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)]
Hours = Annotated[float, Field(gt=0, le=876_000, allow_inf_nan=False)]
Price = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
PerMinute = Annotated[float, Field(gt=0, le=1_000_000_000, allow_inf_nan=False)]
Port = Annotated[int, Field(ge=0, le=HIGHEST_PORT)]
Key = Annotated[str, Field(min_length=1)]


def _refused_by(parse: Callable[[str], object], text: str) -> str:
    parse(text)
    return text


class Settings(BaseSettings):
    """One field a setting; its name in capitals is the environment variable. README.md lists what each means."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8",
        extra="ignore",
        frozen=True,
        env_ignore_empty=True,
        hide_input_in_errors=True,  # a refusal of the whole would hold every secret, and is the cause of our own
    )

    redis_url: SecretStr | None = None
    redis_addr: str = DEFAULT_REDIS_ADDR
    redis_username: str | None = None
    redis_password: SecretStr | None = None
    redis_tls: bool = False
    redis_ca_file: str | None = None
    redis_sentinel: str | None = None
    redis_cluster: bool = False
    redis_stream_name: Key = "eval-events"
    redis_result_stream: Key = "eval-results"
    redis_dead_letter_stream: Key = "eval-dead-letters"
    redis_judgement_prefix: Key = "eval-judgements"
    redis_pace_prefix: Key = "eval-pace"
    redis_consumer_group: Key = "eval-group"
    redis_consumer_name: str | None = None
    hostname: str | None = None

    judge_model: str = "bedrock"
    judge_model_params: SecretStr | None = None
    langchain_class_paths: str = ""
    llm_api_key: SecretStr | None = None
    judge_output: Literal["tool", "native", "text"] = "tool"
    judge_calls: Literal["separate", "combined"] = "separate"
    prompt_cache: Literal["auto", "off"] = "auto"
    judge_waves: Annotated[str, AfterValidator(partial(_refused_by, parse_waves))] = ""
    claude_model_id: Key = DEFAULT_MODEL_ID
    aws_region: Key = Field("us-east-1", validation_alias=AliasChoices("aws_region", "aws_default_region"))
    aws_endpoint_url_bedrock_runtime: str | None = None
    # boto3 reads these by itself; they are known here so that they can be hidden.
    aws_secret_access_key: SecretStr | None = None
    aws_session_token: SecretStr | None = None
    aws_bearer_token_bedrock: SecretStr | None = None
    http_proxy: SecretStr | None = None
    https_proxy: SecretStr | None = None
    judges_file: str | None = None
    judge_timeout_seconds: Seconds = 15
    # What the provider grants, to all workers of a Redis together. What is not given is found out.
    calls_per_minute: PerMinute | None = None
    tokens_per_minute: PerMinute | None = None
    hedge_after_seconds: Seconds | None = None
    judgement_cache_seconds: Annotated[float, Field(ge=0, le=31_536_000, allow_inf_nan=False)] = 3_600

    sample_rates: Annotated[str, AfterValidator(partial(_refused_by, parse_sample_rates))] = ""
    early_exit_threshold: Share = 0.2
    precheck_weight: Share = 0.3
    llm_judge_weight: Share = 0.7
    pass_threshold: Share = 0.8
    review_threshold: Share = 0.5

    concurrency: Annotated[int, Field(ge=1, le=1024)] = 16
    read_ahead: Annotated[int, Field(ge=1, le=65_536)] = 256
    lease_seconds: Annotated[float, Field(ge=1, le=86_400, allow_inf_nan=False)] = 60
    max_deliveries: Annotated[int, Field(ge=1, le=1_000_000)] = 5
    drain_seconds: Annotated[float, Field(ge=0, le=3_600, allow_inf_nan=False)] = 25
    max_event_bytes: Annotated[int, Field(ge=1, le=512 * 1024 * 1024)] = 1024 * 1024
    results_maxlen: Annotated[int, Field(ge=0, le=1_000_000_000)] = 100_000
    keep_events: bool = False
    event_retention_hours: Hours = 168
    idle_group_hours: Hours = 24
    results_include_interaction: bool = False

    # US dollars for a million tokens, of every model. Without them list prices count, and PRICES_FILE over those.
    input_token_price: Price | None = None
    output_token_price: Price | None = None
    prices_file: str | None = None
    max_cost_per_hour: Annotated[float, Field(gt=0, le=1_000_000, allow_inf_nan=False)] | None = None

    api_host: str = "127.0.0.1"
    eval_agent_api_port: Port = DEFAULT_API_PORT
    api_keys: SecretStr | None = None
    api_waiting: Annotated[int, Field(ge=0, le=65_536)] = 256

    tracing: Literal["off", "otlp"] = "off"
    tracing_include_reasons: bool = False
    # OpenTelemetry reads these by itself; the queue is known here to count what it drops, headers to be hidden.
    otel_bsp_max_queue_size: Annotated[int, Field(ge=1, le=1_000_000)] = 2_048
    otel_exporter_otlp_headers: SecretStr | None = None
    otel_exporter_otlp_traces_headers: SecretStr | None = None

    embedded_data_dir: str = ".eval-worker/valkey"
    metrics_host: str = "127.0.0.1"
    metrics_port: Port = DEFAULT_METRICS_PORT
    log_format: Literal["console", "json"] = "console"
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @field_validator("log_level", "log_format", "judge_output", "prompt_cache", "tracing", mode="before")
    @classmethod
    def _any_case(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value

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

    @field_validator("redis_addr")
    @classmethod
    def _host_and_port(cls, value: str) -> str:
        host, colon, port = value.rpartition(":")
        if "//" in value:
            raise ValueError("is a URL: give it as REDIS_URL")
        if "@" in value:
            raise ValueError("must be host:port alone: give user and password as REDIS_USERNAME and REDIS_PASSWORD")
        if not (colon and host and port.isdigit() and 0 < int(port) <= HIGHEST_PORT):
            raise ValueError(f"must be host:port such as {DEFAULT_REDIS_ADDR}, not {value!r}")
        return value

    @field_validator("api_keys")
    @classmethod
    def _fit_for_a_header(cls, value: SecretStr | None) -> SecretStr | None:
        keys = _split(value) if value is not None else ()
        if any(len(key) < SHORTEST_API_KEY for key in keys):
            raise ValueError(f"must be keys of at least {SHORTEST_API_KEY} characters with commas between them")
        if not all(key.isprintable() for key in keys):  # bytes that are not UTF-8 are not printable either
            raise ValueError("must be keys of printable characters with commas, not new lines, between them")
        return value

    @field_validator("aws_endpoint_url_bedrock_runtime")
    @classmethod
    def _without_password(cls, value: str | None) -> str | None:
        if value is not None and "@" in value:
            raise ValueError("must hold no user or password: they would not be sent")
        return value

    @model_validator(mode="after")
    def _fit_together(self) -> Self:
        if not math.isclose(self.precheck_weight + self.llm_judge_weight, 1):
            raise ValueError(
                f"PRECHECK_WEIGHT ({self.precheck_weight:g}) and LLM_JUDGE_WEIGHT ({self.llm_judge_weight:g}) "
                "must add up to 1"
            )
        if self.review_threshold > self.pass_threshold:
            raise ValueError(
                f"REVIEW_THRESHOLD ({self.review_threshold:g}) must not be above PASS_THRESHOLD "
                f"({self.pass_threshold:g})"
            )
        if self.judge_model_params is not None and self.judge_model == "bedrock":
            raise ValueError("JUDGE_MODEL_PARAMS is for JUDGE_MODEL=langchain:<class path>, and JUDGE_MODEL is bedrock")
        streams = (self.redis_stream_name, self.redis_result_stream, self.redis_dead_letter_stream)
        if len(set(streams)) < len(streams):
            raise ValueError(
                "REDIS_STREAM_NAME, REDIS_RESULT_STREAM and REDIS_DEAD_LETTER_STREAM must be three different keys"
            )
        return self

    @property
    def redis_host(self) -> str:
        return self.redis_addr.rpartition(":")[0].strip("[]")

    @property
    def redis_port(self) -> int:
        return int(self.redis_addr.rpartition(":")[2])

    @property
    def accepted_api_keys(self) -> tuple[str, ...]:
        """The keys of which a caller has to show one; without any, all are served."""
        return _split(self.api_keys) if self.api_keys else ()

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

    @property
    def secrets(self) -> frozenset[str]:
        """Every secret value, as it may stand in what others write."""
        values = {
            secret.get_secret_value()
            for secret in (
                self.redis_password,
                self.aws_secret_access_key,
                self.aws_session_token,
                self.aws_bearer_token_bedrock,
                self.llm_api_key,
            )
            if secret
        }
        urls = (url.get_secret_value() for url in (self.redis_url, self.http_proxy, self.https_proxy) if url)
        headers = (
            _header_values(each) for each in (self.otel_exporter_otlp_headers, self.otel_exporter_otlp_traces_headers)
        )
        return frozenset(
            values.union(self.accepted_api_keys, secret_values(self.chat_model_params), *map(passwords, urls), *headers)
        )

    def was_given(self, name: str) -> bool:
        """Whether the setting was set by anyone, as opposed to having its default."""
        return name in self.model_fields_set


def _split(keys: SecretStr) -> tuple[str, ...]:
    return tuple(key.strip() for key in keys.get_secret_value().split(","))


def _header_values(headers: SecretStr | None) -> set[str]:
    """Return the values of `name=value,name=value`, percent-encoded as they are given and as they are sent."""
    pairs = headers.get_secret_value().split(",") if headers else ()
    values = {value.strip() for _, _, value in (pair.partition("=") for pair in pairs)}
    return {each for value in values if value for each in (value, unquote(value))}


def _json(text: SecretStr) -> Any:
    """Return None for what is not JSON. The parser's own message could show a part of the secret."""
    try:
        return json.loads(text.get_secret_value())
    except (ValueError, RecursionError):
        return None


def load_settings(**flags: Any) -> Settings:
    """Reads the environment, then `.env`, then lays the given flags (those that are not None) over both.

    AWS and OTEL variables written in `.env` are passed on to the process environment, where their libraries look.

    Raises:
        SettingsError: one line that names the first wrong setting.
    """
    given = {name: value for name, value in flags.items() if value is not None}
    try:
        _export_library_variables()
        return partial(Settings, **given)()
    except ValidationError as error:
        name, problem = first_problem(error, root="")
        raise SettingsError(f"{name.upper()}: {problem}" if name else problem) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f".env can't be read: {error}") from error


def _export_library_variables() -> None:
    _refuse_broken_lines()
    for name, value in dotenv_values(".env").items():
        if name.startswith(("AWS_", "OTEL_")) and value:
            os.environ.setdefault(name, value)


def _refuse_broken_lines() -> None:
    """A line that can't be read would be skipped with no more than a warning, and a password with it."""
    if not Path(".env").is_file():
        return
    with Path(".env").open(encoding="utf-8") as lines:
        broken = next((binding for binding in parse_stream(lines) if binding.error), None)
    if broken is not None:
        raise SettingsError(f".env: line {broken.original.line} is not NAME=value")
