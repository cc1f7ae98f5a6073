"""The judge model that a request names: made only if it may be had, with the key that it may be called with."""

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus

import structlog

from eval_worker.doors.agentic_run.refusal import RunError, RunRefusedError
from eval_worker.doors.agentic_run.request import Connector
from eval_worker.errors import ConnectorError, SettingsError
from eval_worker.evaluation.judges.model import JudgeModel
from eval_worker.models.langchain.class_paths import check_class_path
from eval_worker.models.langchain.requested import open_requested_model
from eval_worker.redaction import secret_values
from eval_worker.settings import Settings

log = structlog.get_logger()

OFFLINE, BEDROCK = "offline", "bedrock"
_BUILT_IN = frozenset({OFFLINE, BEDROCK})


@dataclass(frozen=True, slots=True)
class OpenedModel:
    """`callers_own` says that it is called with a key of the caller's, whose failures are the caller's, too."""

    model: JudgeModel
    secrets: frozenset[str]
    callers_own: bool


class Connectors:
    """Opens what requests name. `own_model` gives the model that the settings name, always the same one."""

    def __init__(self, settings: Settings, own_model: Callable[[], JudgeModel]) -> None:
        self._settings = settings
        self._own_model = own_model

    def check(self, class_path: str) -> None:
        """Refuse what may not be named. Nothing is imported.

        Raises:
            RunRefusedError: it is no class path that is allowed here, nor a model that is built in.
        """
        if class_path == BEDROCK and self._settings.judge_model != BEDROCK:
            problem = "class_path 'bedrock' is not allowed here: this server's JUDGE_MODEL is another one"
            raise RunRefusedError(RunError.CONNECTOR_FAILED, problem)
        if class_path in _BUILT_IN:
            return
        try:
            check_class_path(class_path, self._settings.allowed_class_paths)
        except ConnectorError as error:
            raise RunRefusedError(RunError.CONNECTOR_FAILED, str(error)) from error

    def open(self, connector: Connector, *, structured_output: bool) -> OpenedModel:
        """Make the model; no call is made. Importing a provider's package may take seconds.

        Raises:
            RunRefusedError: it can't be made as the request says.
        """
        try:
            if connector.class_path in _BUILT_IN:
                return OpenedModel(self._built_in(connector.class_path), frozenset(), callers_own=False)
            return self._chat_model(connector, structured_output=structured_output)
        except (ConnectorError, SettingsError) as error:
            raise RunRefusedError(RunError.CONNECTOR_FAILED, str(error)) from error

    def _built_in(self, name: str) -> JudgeModel:
        if name == BEDROCK:
            return self._opened_own_model()
        from eval_worker.models.offline import OfflineModel  # noqa: PLC0415 (only what is used is loaded)

        return OfflineModel()

    def _opened_own_model(self) -> JudgeModel:
        try:
            return self._own_model()
        except SettingsError as error:  # not the caller's to mend
            log.error("the server's own model can't be made", problem=str(error))  # noqa: TRY400 (its words say all)
            problem = "this server has no access to bedrock: its log says more"
            raise RunRefusedError(RunError.CONNECTOR_FAILED, problem, status=HTTPStatus.SERVICE_UNAVAILABLE) from error

    def _chat_model(self, connector: Connector, *, structured_output: bool) -> OpenedModel:
        requested = open_requested_model(
            connector.class_path,
            connector.params or {},
            also_allowed=self._settings.allowed_class_paths,
            fallback_key=self._settings.llm_api_key,
        )

        from eval_worker.models.langchain.model import LangChainModel  # noqa: PLC0415 (LangChain is heavy, and an extra)

        nothing_but = requested.params if requested.callers_own else None
        model = LangChainModel(requested.chat_model, structured_output=structured_output, nothing_but=nothing_but)
        return OpenedModel(model, secret_values(requested.params), requested.callers_own)
