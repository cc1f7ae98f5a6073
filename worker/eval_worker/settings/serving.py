"""Where we listen, who may come in, and what is said."""

from typing import Annotated, Literal
from urllib.parse import unquote

from pydantic import Field, SecretStr, field_validator

from eval_worker.settings.quantities import Group, Port

DEFAULT_METRICS_PORT = 9464
DEFAULT_API_PORT = 18_081
SHORTEST_API_KEY = 16


class ServingSettings(Group):
    """The doors."""

    api_host: str = "127.0.0.1"
    """Where `api` listens; 0.0.0.0 is every interface."""
    eval_agent_api_port: Port = DEFAULT_API_PORT
    """And on which port."""
    api_keys: SecretStr | None = None
    """Keys, with commas between them, of which a caller of `api` or `mcp --http` has to show one; at least 16
    characters each."""
    api_waiting: Annotated[int, Field(ge=0, le=65_536)] = 256
    """Requests that wait for one of the CONCURRENCY turns of `api`; more are refused with 429."""

    @field_validator("api_keys")
    @classmethod
    def _fit_for_a_header(cls, value: SecretStr | None) -> SecretStr | None:
        keys = split_keys(value) if value is not None else ()
        if any(len(key) < SHORTEST_API_KEY for key in keys):
            raise ValueError(f"must be keys of at least {SHORTEST_API_KEY} characters with commas between them")
        if not all(key.isprintable() for key in keys):  # bytes that are not UTF-8 are not printable either
            raise ValueError("must be keys of printable characters with commas, not new lines, between them")
        return value

    @property
    def accepted_api_keys(self) -> tuple[str, ...]:
        """The keys of which a caller has to show one; without any, all are served."""
        return split_keys(self.api_keys) if self.api_keys else ()


class TelemetrySettings(Group):
    """What is said."""

    metrics_host: str = "127.0.0.1"
    """Where the worker serves `/metrics`, `/healthz` and `/readyz`."""
    metrics_port: Port = DEFAULT_METRICS_PORT
    """And on which port; 0 is any. A taken default gives way to a free one, a port that was asked for does not."""
    log_format: Literal["console", "json"] = "console"
    """For people, or a JSON object a line."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """`debug` says of each judged event what became of it."""


class TracingSettings(Group):
    """Tracing."""

    tracing: Literal["off", "otlp"] = "off"
    """`otlp` sends [a trace of each event](tracing.md) to where OTEL_EXPORTER_OTLP_ENDPOINT says."""
    tracing_include_reasons: bool = False
    """Put the judges' reasons into the spans; they may quote what was judged."""
    # OpenTelemetry reads these by itself; the queue is known here to count what it drops, headers to be hidden.
    otel_bsp_max_queue_size: Annotated[int, Field(ge=1, le=1_000_000)] = 2_048
    """Spans that may wait to be sent; those beyond are dropped, and counted."""
    otel_exporter_otlp_headers: SecretStr | None = None
    """Read by OpenTelemetry, as are all its variables; named here only to be hidden in logs."""
    otel_exporter_otlp_traces_headers: SecretStr | None = None
    """As above."""

    @property
    def tracing_secrets(self) -> frozenset[str]:
        """The values of `name=value,name=value`, percent-encoded as they are given and as they are sent."""
        given = (self.otel_exporter_otlp_headers, self.otel_exporter_otlp_traces_headers)
        pairs = (pair.partition("=") for headers in given if headers for pair in headers.get_secret_value().split(","))
        values = {value.strip() for _, _, value in pairs} - {""}
        return frozenset(values | set(map(unquote, values)))


class EmbeddedSettings(Group):
    """The embedded server."""

    embedded_data_dir: str = ".eval-worker/valkey"
    """Where `--embedded` keeps its data."""


def split_keys(keys: SecretStr) -> tuple[str, ...]:
    return tuple(key.strip() for key in keys.get_secret_value().split(","))
