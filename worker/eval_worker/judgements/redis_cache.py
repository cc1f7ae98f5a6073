"""Judgements kept in Redis for a while, where every worker finds them: also what a worker that died had paid for."""

import asyncio
import contextvars
import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from eval_worker.evaluation.judges.model import Judgement
from eval_worker.nonces import fresh_nonce
from eval_worker.redis_connection import REDIS_ERRORS
from eval_worker.redis_refusal import is_refusal
from eval_worker.short_patience import ShortPatience, any_patience
from eval_worker.stream.redis_patience import RedisPatience

log = structlog.get_logger()

MOST_IN_A_PIPELINE = 256
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.02, 0.5  # between two looks at what another one asks
_CLAIM = b"?"  # no JSON object begins so


@dataclass(frozen=True, slots=True)
class CacheTimes:
    """In seconds: how long a judgement is kept, and how long whoever asks may take until another one asks."""

    kept: float
    asking: float


@dataclass(frozen=True, slots=True)
class _Command:
    """Word by word: redis-py's own `set` sorts out fourteen options, ten times an event."""

    words: tuple[str | bytes | int, ...]
    reply: "asyncio.Future[Any] | None" = None
    options: Mapping[str, bool] = field(default_factory=dict[str, bool])  # for how redis-py reads what is returned


@dataclass(frozen=True, slots=True)
class _Claim:
    """Ours to ask, `until` it expires. `done` is for those of this process who wait for it; others look again."""

    token: bytes
    until: float
    done: asyncio.Event


class RedisJudgementCache:
    """One key a judgement, whose value is the judgement or the claim of whoever asks for it; both expire.

    The commands of all that are under way go out together. Like everything here it waits for a Redis that is gone.
    What Redis refuses (no memory, no rights, a key of another type) costs a call and not an event: the judges are
    asked as if there were no cache, and the log says so once.
    """

    def __init__(
        self,
        client: Redis,
        prefix: str,
        times: CacheTimes,
        patience: RedisPatience,
        clock: Callable[[], float],
        *,
        gives_up_on: Callable[[Exception], bool] = is_refusal,
        short: ShortPatience | None = None,
    ) -> None:
        """`gives_up_on` says what is not waited out: refusals, or with `any_failure` all that may be wrong.

        `short` bounds how long an answer may take, which is then for `gives_up_on` to take for a failure.
        """
        self._client = client
        self._prefix = prefix
        self._times = times
        self._patience = patience
        self._clock = clock
        self._gives_up_on = gives_up_on
        self._call = any_patience if short is None else short.call
        self._claims: dict[str, _Claim] = {}
        self._queue: deque[_Command] = deque()
        self._sending: asyncio.Task[None] | None = None
        self._refused = False

    async def claim(self, key: str) -> Judgement | None:
        """Return the judgement, or None: then it is for the caller to ask. Waits while another one does."""
        give_up_at = self._clock() + self._times.asking + LONGEST_PAUSE_SECONDS
        pause = FIRST_PAUSE_SECONDS
        while (left := give_up_at - self._clock()) > 0:
            if ours := self._claims.get(key):
                await _wait_for(ours.done, left)
                continue
            token, until = _CLAIM + fresh_nonce().encode(), self._clock() + self._times.asking
            claim = _Claim(token, until, asyncio.Event())
            found = await self._look_up(key, claim)
            if found is None or found == claim.token:  # the latter is what a lost reply did not tell us
                self._claims[key] = claim
                return None
            if not found.startswith(_CLAIM):
                return _read(found)
            await asyncio.sleep(min(pause, left))
            pause = min(pause * 1.5, LONGEST_PAUSE_SECONDS)
        return None  # whoever asks is given up

    def keep(self, key: str, judgement: Judgement) -> None:
        value = json.dumps({"score": judgement.score, "reason": judgement.reason}, ensure_ascii=False)
        name, kept = self._name(key), _milliseconds(self._times.kept)
        self._send(_Command(("SET", name, value.encode(), "PX", kept)))
        self._end(key)

    def forgo(self, key: str) -> None:
        if claim := self._end(key):
            self._give_up(key, claim)

    async def flushed(self) -> None:
        """Wait until Redis has taken all that there is to keep."""
        if self._sending is not None:
            await asyncio.wait([self._sending])

    async def _look_up(self, key: str, claim: _Claim) -> bytes | None:
        """Return what stands there; where that was nothing, our claim does now."""
        reply: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        name, asking = self._name(key), _milliseconds(self._times.asking)
        self._send(_Command(("SET", name, claim.token, "NX", "GET", "PX", asking), reply, {"get": True}))
        try:
            return await asyncio.shield(reply)
        except asyncio.CancelledError:
            reply.add_done_callback(lambda reply: self._give_up(key, claim) if _claimed(reply, claim) else None)
            raise

    def _end(self, key: str) -> _Claim | None:
        claim = self._claims.pop(key, None)
        if claim is not None:
            claim.done.set()
        return claim

    def _give_up(self, key: str, claim: _Claim) -> None:
        """After its time the claim is gone, and what stands there may be another worker's."""
        if self._clock() < claim.until:
            self._send(_Command(("DEL", self._name(key))))

    def _name(self, key: str) -> str:
        return f"{self._prefix}:{key}"

    def _send(self, command: _Command) -> None:
        self._queue.append(command)
        if self._sending is None or self._sending.done():
            # In no event's context: it sends for all.
            self._sending = asyncio.create_task(self._send_all(), context=contextvars.Context())

    async def _send_all(self) -> None:
        while self._queue:
            batch = [self._queue.popleft() for _ in range(min(len(self._queue), MOST_IN_A_PIPELINE))]
            try:
                replies = await self._patience.insist("judgements", lambda batch=batch: self._pipeline(batch))
            except Exception as bug:
                log.exception("sending to the cache of judgements raised; this is a bug")
                self._answer([*batch, *self._queue], bug)
                self._queue.clear()
            else:
                self._note_refusals(replies)
                for command, reply in zip(batch, replies, strict=True):
                    self._answer([command], None if isinstance(reply, Exception) else reply)

    async def _pipeline(self, batch: Sequence[_Command]) -> list[Any]:
        """Repeating it is safe: a claim that was ours before is ours still."""
        pipeline: Any = self._client.pipeline(transaction=False)
        for command in batch:
            pipeline.execute_command(*command.words, **command.options)
        try:
            replies = await self._call(lambda: pipeline.execute(raise_on_error=False))
            failures = (each for each in replies if isinstance(each, RedisError))
            if passing := next((each for each in failures if not self._gives_up_on(each)), None):
                raise passing
        except REDIS_ERRORS as error:
            if not self._gives_up_on(error):
                raise
            return [error] * len(batch)
        return replies

    def _answer(self, commands: Sequence[_Command], reply: Any) -> None:
        for command in commands:
            if command.reply is None or command.reply.done():
                continue
            if isinstance(reply, Exception):
                command.reply.set_exception(reply)
            else:
                command.reply.set_result(reply)

    def _note_refusals(self, replies: Sequence[Any]) -> None:
        refusal = next((reply for reply in replies if isinstance(reply, Exception)), None)
        if refusal is not None and not self._refused:
            problem = self._patience.in_words(refusal)
            log.warning("judgements can't be kept; what comes again is judged again", problem=problem)
        self._refused = refusal is not None


def _claimed(reply: "asyncio.Future[bytes | None]", claim: _Claim) -> bool:
    return not reply.cancelled() and reply.exception() is None and reply.result() in {None, claim.token}


def _milliseconds(seconds: float) -> int:
    return max(int(seconds * 1000), 1)


async def _wait_for(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


def _read(found: bytes) -> Judgement | None:
    """Return the judgement; None for what is none of ours, which is written over."""
    try:
        value = json.loads(found)
        return Judgement(float(value["score"]), str(value["reason"]))
    except (ValueError, TypeError, KeyError):
        return None
