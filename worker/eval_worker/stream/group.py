"""The consumer group: created where it is missing, recreated where it was lost."""

import structlog
from redis.asyncio import Redis
from redis.exceptions import ResponseError

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
        except ResponseError as error:
            if "BUSYGROUP" in str(error):
                return False
            raise
        return True

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
