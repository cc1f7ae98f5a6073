"""What the page needs of Redis, on one client."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi import HTTPException

from eval_worker.doors.http_api.dashboard.letters import LetterDesk, MayHaveBeenDoneError, lacks_right
from eval_worker.doors.http_api.dashboard.watch import Watch
from eval_worker.doors.http_api.retry_after import retry_after
from eval_worker.partitions import UnknownEntryError, partitions_of, split_id
from eval_worker.redis_connection import REDIS_ERRORS, check_one_slot, connect, explain, ping_or_explain
from eval_worker.stream.partitioned_dead_letters import dead_letters_of
from eval_worker.stream.result_stream import StoredResult

if TYPE_CHECKING:
    from eval_worker.result import Result
    from eval_worker.settings import Settings


class Dashboard:
    """Nothing is sent before somebody looks.

    Raises:
        SettingsError: a setting that says where Redis is can't be right.
    """

    def __init__(self, settings: "Settings") -> None:
        check_one_slot(settings)
        client = connect(settings)
        self._client: Any = client
        self._settings = settings
        self.watch = Watch(client, settings)
        self.letters = LetterDesk(dead_letters_of(client, settings), settings)

    async def check(self) -> None:
        """Make sure that Redis answers.

        Raises:
            RedisUnavailableError: it does not.
        """
        await ping_or_explain(self._client, self._settings)

    async def close(self) -> None:
        await self.watch.close()
        await self._client.aclose()

    async def result(self, entry_id: str) -> "Result | None":
        """Read one whole result; None where it is gone, or none that this version can read."""
        place, there = split_id(partitions_of(self._settings), entry_id)
        page = await self._client.xrange(place.results, min=there, max=there, count=1)
        return StoredResult.from_entry(*page[0]).result if page else None

    @asynccontextmanager
    async def explained(self) -> AsyncGenerator[None]:
        """Answer what Redis does not do for us in words.

        Raises:
            HTTPException: 403, it may not be done; 404, there is no such partition; 503, Redis can't be used;
                504, it may have been done.
        """
        try:
            yield
        except UnknownEntryError as error:
            raise HTTPException(HTTPStatus.NOT_FOUND, str(error)) from error
        except MayHaveBeenDoneError as error:
            raise HTTPException(HTTPStatus.GATEWAY_TIMEOUT, str(error)) from error
        except REDIS_ERRORS as error:
            problem = str(explain(error, self._settings))
            if lacks_right(error):
                raise HTTPException(HTTPStatus.FORBIDDEN, problem) from error
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, problem, retry_after()) from error
