"""Opens tracing where the settings want it; nothing of OpenTelemetry is loaded elsewhere."""

from functools import partial
from typing import TYPE_CHECKING

from eval_worker.errors import MissingExtraError
from eval_worker.evaluation.aggregate import verdict_for
from eval_worker.evaluation.stage import Stage
from eval_worker.redaction import without_secrets
from eval_worker.settings import Settings
from eval_worker.wiring.judging import scoring_policy

if TYPE_CHECKING:
    from eval_worker.telemetry.tracing.tracing import Tracing

# What the conventions call the providers behind LangChain's packages; others go by the package's own name.
_PROVIDERS = {
    "langchain_aws": "aws.bedrock",
    "langchain_azure_ai": "azure.ai.inference",
    "langchain_google_genai": "gcp.gemini",
    "langchain_google_vertexai": "gcp.vertex_ai",
    "langchain_ibm": "ibm.watsonx.ai",
    "langchain_mistralai": "mistral_ai",
    "langchain_xai": "x_ai",
}


def open_tracing(settings: Settings, service: str) -> "Tracing | None":
    """Make what traces this process; None where TRACING is off. `service` is who we are unless OTEL_SERVICE_NAME says.

    Raises:
        MissingExtraError: the extra is not installed.
    """
    if settings.tracing == "off":
        return None
    try:
        from eval_worker.telemetry.tracing.tracing import Tracing  # noqa: PLC0415 (heavy, and an extra)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "opentelemetry":
            raise
        raise MissingExtraError("tracing", f"TRACING={settings.tracing}") from error
    policy = scoring_policy(settings)

    def label_of(stage: Stage) -> str:
        return stage.status.value if stage.score is None else verdict_for(stage.score, policy).value

    return Tracing(
        service,
        _provider(settings),
        label_of,
        reasons=settings.tracing_include_reasons,
        queue_size=settings.otel_bsp_max_queue_size,
        redact=partial(without_secrets, known=settings.secrets),
    )


def _provider(settings: Settings) -> str:
    class_path = settings.chat_model_class_path
    if class_path is None:
        return "aws.bedrock"
    package = class_path.partition(".")[0]
    return _PROVIDERS.get(package, package.removeprefix("langchain_"))
