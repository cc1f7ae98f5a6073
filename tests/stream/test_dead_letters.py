import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, TypeVar

import pytest
from redis.exceptions import OutOfMemoryError
from tests.events import DEAD_LETTERS, EVENTS

from eval_worker.dead_letter import DeadLetter, RawFields
from eval_worker.errors import EvalWorkerError
from eval_worker.redis_connection import connect
from eval_worker.settings import Settings
from eval_worker.stream.dead_letters import MOST_FIELDS, PAGE, DeadLetters, StoredDeadLetter

T = TypeVar("T")

NASTY: RawFields = [(b"payload", b'{"event_id": "evt-1"}'), (b"tag", b"1"), (b"tag", b"2"), (b"\xff", b"\x00\xfe")]


def with_letters(settings: Settings, work: Callable[[DeadLetters], Awaitable[T]]) -> T:
    async def run() -> T:
        client = connect(settings)
        try:
            return await work(DeadLetters(client, events=EVENTS, dead_letters=DEAD_LETTERS))
        finally:
            await client.aclose()

    return asyncio.run(run())


def bury(redis_client: Any, fields: RawFields = NASTY, *, entry_id: str = "*") -> str:
    letter = DeadLetter(
        fields=fields,
        reason="interaction.answer: is required",
        error="malformed",
        source_id="1-0",
        deliveries=1,
        failed_at=datetime(2026, 1, 1, tzinfo=UTC),
        worker="host-1",
    )
    return redis_client.xadd(DEAD_LETTERS, dict(letter.to_stream_fields()), id=entry_id).decode()


async def everything(letters: DeadLetters) -> list[StoredDeadLetter]:
    return [letter async for letter in letters.all()]


async def get(letters: DeadLetters, letter_id: str) -> StoredDeadLetter:
    letter = await letters.get(letter_id)
    assert letter is not None
    return letter


@pytest.fixture
def settings(operator_settings: Settings) -> Settings:
    return operator_settings


def raw_events(settings: Settings) -> list[Any]:
    async def read() -> Any:
        async with connect(settings) as client:
            return await client.xread({EVENTS: "0"})

    reply = asyncio.run(read())
    return reply[0][1] if reply else []


def test_all_are_found_whatever_their_number(settings: Settings, redis_client: Any):
    buried = [bury(redis_client) for _ in range(2 * PAGE + 1)]
    assert [letter.id for letter in with_letters(settings, everything)] == buried


def test_a_dead_letter_tells_why(settings: Settings, redis_client: Any):
    letter_id = bury(redis_client)
    letter = with_letters(settings, lambda letters: get(letters, letter_id))
    assert letter.reason == "interaction.answer: is required"
    assert (letter.event_id, letter.deliveries, letter.failed_at) == ("evt-1", "1", "2026-01-01T00:00:00Z")


@pytest.mark.parametrize("payload", [b"", b"\xff", b"[1]", b'{"event_id": 7}', b"[" * 100_000])
def test_a_payload_without_an_event_id_has_none(settings: Settings, redis_client: Any, payload: bytes):
    letter_id = bury(redis_client, [(b"payload", payload)])
    assert with_letters(settings, lambda letters: get(letters, letter_id)).event_id is None


def test_replaying_puts_back_every_byte_and_removes_the_letter(settings: Settings, redis_client: Any):
    letter_id = bury(redis_client)

    async def replay(letters: DeadLetters) -> str | None:
        return await letters.replay(await get(letters, letter_id))

    new_id = with_letters(settings, replay)
    assert new_id is not None
    assert raw_events(settings) == [[new_id.encode(), [part for pair in NASTY for part in pair]]]
    assert redis_client.xlen(DEAD_LETTERS) == 0


@pytest.mark.parametrize("more", [0, 1])
def test_as_many_fields_as_a_script_can_add_are_put_back_and_more_are_refused_in_words(
    settings: Settings, redis_client: Any, more: int
):
    fields = [(f"field {number}".encode(), b"x") for number in range(MOST_FIELDS + more)]
    letter_id = bury(redis_client, fields)

    async def replay(letters: DeadLetters) -> str | None:
        return await letters.replay(await get(letters, letter_id))

    if more:
        with pytest.raises(EvalWorkerError, match=r"3,901 fields, and at most 3,900 can be put back"):
            with_letters(settings, replay)
    else:
        with_letters(settings, replay)
    assert redis_client.xlen(DEAD_LETTERS) == more
    assert len(raw_events(settings)) == 1 - more


def test_a_letter_is_replayed_once_however_often_it_is_asked_for(settings: Settings, redis_client: Any):
    letter_id = bury(redis_client)

    async def replay_twice(letters: DeadLetters) -> list[str | None]:
        letter = await get(letters, letter_id)
        return [await letters.replay(letter), await letters.replay(letter)]

    first, second = with_letters(settings, replay_twice)
    assert first is not None
    assert second is None
    assert len(raw_events(settings)) == 1


def test_replaying_all_ends_even_if_each_comes_back_dead(settings: Settings, redis_client: Any):
    for _ in range(PAGE + 1):
        bury(redis_client)

    async def replay_all(letters: DeadLetters) -> int:
        count = 0
        async for letter in letters.all():
            await letters.replay(letter)
            bury(redis_client)
            count += 1
        return count

    assert with_letters(settings, replay_all) == PAGE + 1


def test_a_full_server_keeps_the_letter(settings: Settings, redis_client: Any):
    letter_id = bury(redis_client)

    async def replay(letters: DeadLetters) -> None:
        letter = await get(letters, letter_id)
        redis_client.config_set("maxmemory", "1")
        await letters.replay(letter)

    try:
        with pytest.raises(OutOfMemoryError):
            with_letters(settings, replay)
    finally:
        redis_client.config_set("maxmemory", "0")
    assert redis_client.xlen(DEAD_LETTERS) == 1
    assert raw_events(settings) == []


@pytest.mark.parametrize("fields", [{"reason": "by hand"}, {"fields": "7"}, {"fields": "{"}, {"fields": '{"a": 1}'}])
def test_what_no_worker_wrote_is_listed_but_not_replayed(settings: Settings, redis_client: Any, fields: dict[str, str]):
    redis_client.xadd(DEAD_LETTERS, fields)
    (letter,) = with_letters(settings, everything)
    with pytest.raises(EvalWorkerError, match=letter.id):
        letter.original_fields()


def test_purging_removes_the_named_ones_only(settings: Settings, redis_client: Any):
    first, second = bury(redis_client), bury(redis_client)
    assert with_letters(settings, lambda letters: letters.purge([first, "9-9"])) == 1
    assert [letter.id for letter in with_letters(settings, everything)] == [second]


def test_purging_all_counts_them(settings: Settings, redis_client: Any):
    assert with_letters(settings, lambda letters: letters.purge_all()) == 0
    for _ in range(3):
        bury(redis_client)
    assert with_letters(settings, lambda letters: letters.purge_all()) == 3


def test_purging_by_age_keeps_the_younger(settings: Settings, redis_client: Any):
    now_ms = redis_client.time()[0] * 1000
    bury(redis_client, entry_id=f"{now_ms - 3_600_000}-0")
    young = bury(redis_client, entry_id=f"{now_ms - 60_000}-0")
    assert with_letters(settings, lambda letters: letters.purge_older_than(1800)) == 1
    assert [letter.id for letter in with_letters(settings, everything)] == [young]
