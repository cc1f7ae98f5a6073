"""What is served, and what the process around it needs."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import FastAPI
from fastapi_offline import FastAPIOffline

from eval_worker import __version__
from eval_worker.doors.http_api.docs_policy import DocsPolicy
from eval_worker.doors.http_api.unread_body import UnreadBody

if TYPE_CHECKING:
    from eval_worker.doors.http_api.dashboard.dashboard import Dashboard
    from eval_worker.doors.http_api.event_streams import EventStreams
    from eval_worker.doors.http_api.observed import Observed


@dataclass(slots=True)
class Drain:
    """Whether the server is on its way out."""

    begun: bool = False


@dataclass(frozen=True, slots=True)
class Api:
    """The ASGI app, and what it holds of Redis, where one is configured."""

    app: "Observed"
    streams: "EventStreams | None"
    dashboard: "Dashboard | None"
    drain: Drain

    async def close(self) -> None:
        for held in (self.streams, self.dashboard):
            if held is not None:
                await held.close()


def documented_app() -> FastAPI:
    """An app whose documentation pages bring their own scripts; `validatorUrl` would send the document elsewhere."""
    app = FastAPIOffline(
        title="eval-worker",
        version=__version__,
        description="Judges AI agents' answers: free prechecks first, LLM judges for what passes them, one verdict.",
        redirect_slashes=False,
        swagger_ui_parameters={"validatorUrl": None},
    )
    app.add_middleware(DocsPolicy)
    app.add_middleware(UnreadBody)
    return app
