"""Dead letters, as they are shown, sent again and thrown away."""

import json
from collections.abc import Sequence
from contextlib import aclosing

from redis.exceptions import RedisError

from eval_worker.doors.http_api.dashboard.wire import (
    LetterReply,
    LettersReply,
    RefusedLetter,
    ReplayedReply,
    WholeLetterReply,
)
from eval_worker.errors import EvalWorkerError
from eval_worker.redis_connection import REDIS_ERRORS, explain
from eval_worker.settings import Settings
from eval_worker.stream.dead_letters import StoredDeadLetter
from eval_worker.stream.partitioned_dead_letters import PartitionedDeadLetters

MOST_BYTES = 16 * 1024 * 1024  # looked through for a list
LONGEST_REASON = 2_000
LONGEST_PAYLOAD = 1024 * 1024


class LetterDesk:
    def __init__(self, letters: PartitionedDeadLetters, settings: Settings) -> None:
        self._letters = letters
        self._settings = settings

    async def newest(self, limit: int) -> LettersReply:
        found: list[LetterReply] = []
        taken_bytes = 0
        async with aclosing(self._letters.newest()) as every:
            async for letter in every:
                found.append(_in_short(letter))
                taken_bytes += len(letter.payload) + len(letter.encoded_fields)
                if len(found) == limit or taken_bytes > MOST_BYTES:
                    break
        total = max(await self._letters.count(), len(found))
        return LettersReply(letters=found, total=total, complete=total == len(found))

    async def whole(self, letter_id: str) -> WholeLetterReply | None:
        letter = await self._letters.get(letter_id)
        if letter is None:
            return None
        payload = _as_text(letter.payload)
        return WholeLetterReply(
            **_in_short(letter).model_dump(), payload=payload[:LONGEST_PAYLOAD], cut=len(payload) > LONGEST_PAYLOAD
        )

    async def replay(self, ids: Sequence[str]) -> ReplayedReply:
        """Put events back. What Redis refuses after the first was replayed is said of those it was refused for.

        Raises:
            RedisError, OSError: nothing was replayed.
        """
        reply = ReplayedReply(replayed={}, refused=[])
        for letter_id in dict.fromkeys(ids):
            try:
                reply.replayed[letter_id] = await self._replay(letter_id)
            except EvalWorkerError as error:
                reply.refused.append(RefusedLetter(id=letter_id, problem=str(error)))
            except REDIS_ERRORS as error:
                if not reply.replayed:
                    raise
                reply.refused.append(RefusedLetter(id=letter_id, problem=str(explain(error, self._settings))))
        return reply

    async def purge(self, ids: Sequence[str]) -> int:
        return await self._letters.purge(ids)

    async def _replay(self, letter_id: str) -> str:
        letter = await self._letters.get(letter_id)
        new_id = None if letter is None else await self._letters.replay(letter)
        if new_id is None:
            raise EvalWorkerError(f"there is no dead letter {letter_id} any more: it was replayed or purged meanwhile")
        return new_id


def lacks_right(error: Exception) -> bool:
    """Whether it is this Redis user that may not do it."""
    return isinstance(error, RedisError) and any(
        words in str(error) for words in ("NOPERM", "no permission", "ACL failure in script", "can't run this command")
    )


def _in_short(letter: StoredDeadLetter) -> LetterReply:
    return LetterReply(
        id=letter.id,
        event_id=_storable(letter.event_id),
        reason=letter.reason[:LONGEST_REASON],
        error=letter.error[:LONGEST_REASON],
        deliveries=letter.deliveries[:100],
        failed_at=letter.failed_at[:100],
        source_id=letter.source_id[:100],
        worker=letter.worker[:LONGEST_REASON],
        size=len(letter.payload),
    )


def _storable(text: str | None) -> str | None:
    """JSON may hold half a character, which no reply can."""
    return None if text is None else text[:LONGEST_REASON].encode(errors="replace").decode()


def _as_text(payload: bytes) -> str:
    """Indented where it is JSON of a bearable size."""
    text = payload.decode(errors="replace")
    if len(payload) > LONGEST_PAYLOAD:
        return text
    try:
        return json.dumps(json.loads(payload), ensure_ascii=False, indent=2).encode(errors="replace").decode()
    except (ValueError, RecursionError):
        return text
