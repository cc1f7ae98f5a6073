"""Dead letters, as they are shown, sent again and thrown away."""

import json
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from redis.exceptions import RedisError, ResponseError

from eval_worker.doors.http_api.dashboard.letter_list import LetterList, in_short
from eval_worker.doors.http_api.dashboard.wire import LettersReply, RefusedLetter, ReplayedReply, WholeLetterReply
from eval_worker.errors import EvalWorkerError
from eval_worker.redis_connection import REDIS_ERRORS, address, explain
from eval_worker.settings import Settings
from eval_worker.stream.partitioned_dead_letters import PartitionedDeadLetters

LONGEST_PAYLOAD = 1024 * 1024


class MayHaveBeenDoneError(EvalWorkerError):
    """It was sent to Redis, and no reply came: nobody knows whether it was done."""


class LetterDesk:
    def __init__(self, letters: PartitionedDeadLetters, settings: Settings) -> None:
        self._letters = letters
        self._list = LetterList(letters)
        self._settings = settings

    async def newest(self, limit: int) -> LettersReply:
        return await self._list.newest(limit)

    async def whole(self, letter_id: str) -> WholeLetterReply | None:
        letter = await self._letters.get(letter_id)
        if letter is None:
            return None
        payload = _as_text(letter.payload)
        return WholeLetterReply(
            **in_short(letter).model_dump(), payload=payload[:LONGEST_PAYLOAD], cut=len(payload) > LONGEST_PAYLOAD
        )

    async def replay(self, ids: Sequence[str]) -> ReplayedReply:
        """Put events back. What Redis refuses after the first was replayed is said of those it was refused for.

        Raises:
            RedisError, OSError: nothing was replayed.
            MayHaveBeenDoneError: the first one may have been, and nothing else was.
        """
        reply = ReplayedReply(replayed={}, refused=[])
        for letter_id in dict.fromkeys(ids):
            try:
                reply.replayed[letter_id] = await self._replay(letter_id)
            except (MayHaveBeenDoneError, *REDIS_ERRORS) as error:
                if not reply.replayed:
                    raise
                problem = error if isinstance(error, MayHaveBeenDoneError) else explain(error, self._settings)
                reply.refused.append(RefusedLetter(id=letter_id, problem=str(problem)))
            except EvalWorkerError as error:
                reply.refused.append(RefusedLetter(id=letter_id, problem=str(error)))
        return reply

    async def purge(self, ids: Sequence[str]) -> int:
        """Delete them. Counting goes first, so that most failures are known to be harmless.

        Raises:
            RedisError, OSError: nothing was deleted.
            MayHaveBeenDoneError: they may have been.
        """
        await self._letters.count()
        with self._changing("the dead letters may or may not have been deleted"):
            return await self._letters.purge(ids)

    async def _replay(self, letter_id: str) -> str:
        letter = await self._letters.get(letter_id)
        with self._changing(f"dead letter {letter_id} may or may not have been replayed"):
            new_id = None if letter is None else await self._letters.replay(letter)
        if new_id is None:
            raise EvalWorkerError(f"there is no dead letter {letter_id} any more: it was replayed or purged meanwhile")
        return new_id

    @contextmanager
    def _changing(self, unsure: str) -> Generator[None]:
        try:
            yield
        except ResponseError:
            raise
        except REDIS_ERRORS as error:
            raise MayHaveBeenDoneError(
                f"the connection to Redis at {address(self._settings)} broke: {unsure}; what is still listed was not, "
                "and trying again does nothing twice"
            ) from error
        finally:
            self._list.read_again()


def lacks_right(error: Exception) -> bool:
    """Whether it is this Redis user that may not do it."""
    return isinstance(error, RedisError) and any(
        words in str(error) for words in ("NOPERM", "no permission", "ACL failure in script", "can't run this command")
    )


def _as_text(payload: bytes) -> str:
    """Indented where it is JSON of a bearable size."""
    text = payload.decode(errors="replace")
    if len(payload) > LONGEST_PAYLOAD:
        return text
    try:
        return json.dumps(json.loads(payload), ensure_ascii=False, indent=2).encode(errors="replace").decode()
    except (ValueError, RecursionError):
        return text
