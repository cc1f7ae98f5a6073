"""The consumer group: created where it is missing, recreated where it was lost."""

from typing import Any

import structlog
from redis.asyncio import Redis
from redis.exceptions import OutOfMemoryError, ResponseError

from eval_worker.stream.names import StreamNames
from eval_worker.telemetry.metrics import Metrics

log = structlog.get_logger()


class ConsumerGroup:
    """Starts at 0, so that what was waiting before the first worker came is judged too."""

    def __init__(self, client: Redis, names: StreamNames, metrics: Metrics) -> None:
        self._client = client
        self._names = names
        self._metrics = metrics

    async def ensure(self) -> bool:
        """Return whether the group had to be created."""
        try:
            await self._client.xgroup_create(self._names.events, self._names.group, id="0", mkstream=True)
        except OutOfMemoryError:  # a full server says so even where the group is there, which is all we need
            if await self._exists():
                return False
            raise
        except ResponseError as error:
            if "BUSYGROUP" in str(error):
                return False
            raise
        return True

    async def _exists(self) -> bool:
        client: Any = self._client  # the library's reply types are wider than what this command replies
        try:
            groups = await client.xinfo_groups(self._names.events)
        except ResponseError as error:
            if is_missing_group(error):
                return False
            raise
        return self._names.group.encode() in {group["name"] for group in groups}

    async def recover(self) -> None:
        """Recreate a group that was lost under us. It starts at 0 again: what was not settled comes back."""
        if await self.ensure():
            self._metrics.groups_recreated.inc()
            log.error(
                "the consumer group was gone and has been recreated at 0",
                stream=self._names.events,
                group=self._names.group,
            )


def is_missing_group(error: ResponseError) -> bool:
    message = str(error)
    return "NOGROUP" in message or "no such key" in message.lower()
