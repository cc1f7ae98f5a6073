"""All settings together, and what has to fit together."""

import math
from typing import Self

from pydantic import field_validator, model_validator
from pydantic_settings import SettingsConfigDict

from eval_worker.redaction import passwords, secret_values
from eval_worker.settings.model import ModelSettings
from eval_worker.settings.partitions import PartitionSettings, check_partitions
from eval_worker.settings.redis import RedisSettings
from eval_worker.settings.serving import EmbeddedSettings, ServingSettings, TelemetrySettings, TracingSettings
from eval_worker.settings.verdict import CostSettings, VerdictSettings
from eval_worker.settings.worker import WorkerSettings


class Settings(
    EmbeddedSettings,
    TracingSettings,
    TelemetrySettings,
    ServingSettings,
    CostSettings,
    WorkerSettings,
    VerdictSettings,
    ModelSettings,
    PartitionSettings,
    RedisSettings,
):
    """One field a setting; its name in capitals is the environment variable.

    The groups come last to first, as pydantic collects fields from the last base on.
    """

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8",
        extra="ignore",
        frozen=True,
        env_ignore_empty=True,
        hide_input_in_errors=True,  # a refusal of the whole would hold every secret, and is the cause of our own
        defer_build=False,
    )

    @field_validator(
        "log_level", "log_format", "judge_output", "prompt_cache", "tracing", "partition_by", mode="before"
    )
    @classmethod
    def _any_case(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value

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
        if self.stream_partitions > 1:
            check_partitions(self)
        return self

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
        values |= self.tracing_secrets.union(self.accepted_api_keys, secret_values(self.chat_model_params))
        return frozenset(values.union(*map(passwords, urls)))

    def was_given(self, name: str) -> bool:
        """Whether the setting was set by anyone, as opposed to having its default."""
        return name in self.model_fields_set
