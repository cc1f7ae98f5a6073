"""The flag that every command which talks to Redis shares, and the settings and session that follow from it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from eval_worker.settings import Settings

redis_addr_option = click.option(
    "--redis-addr", metavar="HOST:PORT", help="Where Redis is; overrides REDIS_ADDR and REDIS_URL."
)


def settings_for(redis_addr: str | None, **flags: Any) -> "Settings":
    """Load the settings, the flags laid over them; an address that was given as a flag beats every other way there."""
    from eval_worker.settings import load_settings

    settings = load_settings(redis_addr=redis_addr, **flags)
    if redis_addr is None:
        return settings
    return settings.model_copy(update={"redis_url": None, "redis_sentinel": None})


@asynccontextmanager
async def redis_session(settings: "Settings", *, block_seconds: float = 0) -> AsyncGenerator["Redis"]:
    """A client that answers, for as long as the command runs. What Redis refuses meanwhile ends it with one line."""
    from redis.exceptions import RedisError

    from eval_worker.redis_connection import check_one_slot, connect, explain, ping_or_explain

    check_one_slot(settings)
    client = connect(settings, block_seconds=block_seconds)
    try:
        await ping_or_explain(client, settings)
        yield client
    except RedisError as error:  # an OSError would be our own output's: a closed pipe
        raise explain(error, settings) from error
    finally:
        await client.aclose()
