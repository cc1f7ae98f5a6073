"""Makes the judge model that the settings name."""

from typing import Literal

from eval_worker.errors import MissingExtraError, SettingsError
from eval_worker.evaluation.judges.definition import JudgeSet
from eval_worker.evaluation.judges.model import JudgeModel
from eval_worker.settings import Settings
from eval_worker.wiring.pricing import read_prices


def build_judge_model(settings: Settings, judges: JudgeSet) -> JudgeModel:
    """Make the model that JUDGE_MODEL names. `offline` is never a fallback: it has to be asked for.

    Raises:
        SettingsError: there are no credentials for it, or the chat model can't be made as the settings say.
    """
    if settings.judge_model == "offline":
        from eval_worker.models.offline import OfflineModel  # noqa: PLC0415 (only what is used is loaded)

        return OfflineModel()
    if settings.chat_model_class_path is not None:
        return _langchain_model(settings, settings.chat_model_class_path)
    return _bedrock_model(settings, max_calls_in_flight=settings.concurrency * len(judges.judges))


def _bedrock_model(settings: Settings, *, max_calls_in_flight: int) -> JudgeModel:
    from eval_worker.models.bedrock.credentials import check_credentials, open_session  # noqa: PLC0415
    from eval_worker.models.bedrock.model import BedrockModel  # noqa: PLC0415 (boto3 is heavy)

    session = open_session()
    check_credentials(session)
    return BedrockModel(
        model_id=settings.claude_model_id,
        region=settings.aws_region,
        endpoint_url=settings.aws_endpoint_url_bedrock_runtime,
        output=settings.judge_output,
        timeout_seconds=settings.judge_timeout_seconds,
        max_calls_in_flight=max_calls_in_flight,
        session=session,
        cache_floor=_no_floor if settings.prompt_cache == "off" else read_prices(settings).cache_floor,
    )


def _no_floor(_model_id: str) -> None:
    """Say of every model that it caches nothing."""


def _langchain_model(settings: Settings, class_path: str) -> JudgeModel:
    from eval_worker.models.langchain.opening import open_chat_model  # noqa: PLC0415 (LangChain is heavy, and an extra)

    try:
        chat_model = open_chat_model(class_path, settings.chat_model_params)
    except MissingExtraError:
        raise
    except SettingsError as error:
        raise SettingsError(f"JUDGE_MODEL, JUDGE_MODEL_PARAMS: {error}") from error

    from eval_worker.models.langchain.model import LangChainModel  # noqa: PLC0415 (the same)

    return LangChainModel(
        chat_model, structured_output=settings.judge_output != "text", method=_structured_method(settings)
    )


def _structured_method(settings: Settings) -> Literal["function_calling", "json_schema"] | None:
    """Leave it to the chat model's class unless JUDGE_OUTPUT was set; Bedrock's default is no wish of anyone's."""
    if not settings.was_given("judge_output"):
        return None
    return "function_calling" if settings.judge_output == "tool" else "json_schema"
