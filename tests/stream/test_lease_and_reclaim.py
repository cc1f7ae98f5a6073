"""Two workers and one pending list: who holds what, who may take over, what is charged."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from redis.asyncio import Redis
from tests.events import DEAD_LETTERS, EVENTS, GROUP, RESULTS, deliveries, event, send
from tests.waiting import eventually

from eval_worker.redis_connection import connect
from eval_worker.settings import Settings
from eval_worker.stream.entry import Entry
from eval_worker.stream.fetch import Fetcher
from eval_worker.stream.group import ConsumerGroup
from eval_worker.stream.lease import Leases
from eval_worker.stream.lua_script import MOST_IN_A_CALL
from eval_worker.stream.names import RELEASED, StreamNames
from eval_worker.stream.reclaim import Reclaimer
from eval_worker.stream.release import Release, Releaser
from eval_worker.telemetry.metrics import Metrics

LEASE_SECONDS = 0.2


@dataclass
class Member:
    """One consumer's parts."""

    client: Redis
    names: StreamNames
    max_deliveries: int = 5

    def __post_init__(self) -> None:
        self.metrics = Metrics()
        self.group = ConsumerGroup(self.client, self.names, self.metrics)
        self.leases = Leases(self.client, self.names, LEASE_SECONDS, self.metrics)
        self.fetcher = Fetcher(self.client, self.names, read_ahead=2_000)
        self.releaser = Releaser(self.client, self.names, self.leases, self.metrics, time.monotonic)
        self.reclaimer = Reclaimer(
            self.client, self.names, self.leases, self.metrics, time.monotonic, max_deliveries=self.max_deliveries
        )
        self.lost: list[str] = []

    async def take(self, most: int = 10) -> list[Entry]:
        entries = await self.fetcher.fetch(most)
        for entry in entries:
            self.leases.take(entry, lambda entry_id=entry.id: self.lost.append(entry_id))
        return entries


def with_two(settings: Settings, scenario: Callable[[Member, Member], Awaitable[None]]) -> None:
    async def run() -> None:
        async with connect(settings, block_seconds=1) as client:
            await between(client)

    async def between(client: Redis) -> None:
        names = [StreamNames(EVENTS, RESULTS, DEAD_LETTERS, GROUP, c) for c in "ab"]
        first, second = (Member(client, each) for each in names)
        await first.group.ensure()
        await scenario(first, second)

    asyncio.run(run())


def age(redis_client: Any, entry_id: str, consumer: str, deliveries_so_far: int) -> None:
    """Make a pending entry look as if its worker had died a lease ago, after so many deliveries."""
    redis_client.xclaim(EVENTS, GROUP, consumer, 0, [entry_id], idle=60_000, retrycount=deliveries_so_far, justid=True)


def idle_seconds(redis_client: Any, entry_id: str) -> float:
    (pending,) = redis_client.xpending_range(EVENTS, GROUP, entry_id, entry_id, 1)
    return pending["time_since_delivered"] / 1000


def test_a_renewed_lease_is_not_taken_over_and_renewing_charges_nothing(settings: Settings, redis_client: Any):
    source_id = send(redis_client, event())

    async def scenario(holder: Member, other: Member) -> None:
        await holder.take()
        for _ in range(4):
            await eventually(lambda: idle_seconds(redis_client, source_id) >= LEASE_SECONDS / 2)
            await holder.leases.renew()
            assert idle_seconds(redis_client, source_id) < LEASE_SECONDS / 2
            assert (await other.reclaimer.reclaim(10)).entries == []

    with_two(settings, scenario)

    assert deliveries(redis_client) == {source_id: 1}


def test_a_lease_that_ran_out_is_taken_over_charged_and_lost_to_its_holder(settings: Settings, redis_client: Any):
    source_id = send(redis_client, event())

    async def scenario(holder: Member, other: Member) -> None:
        await holder.take()
        age(redis_client, source_id, "a", 1)
        (taken,) = (await other.reclaimer.reclaim(10)).entries
        assert (taken.id, taken.deliveries) == (source_id, 2)
        assert taken.fields[0][0] == b"payload"
        await holder.leases.renew()
        assert holder.lost == [source_id]
        assert len(holder.leases) == 0

    with_two(settings, scenario)

    assert deliveries(redis_client) == {source_id: 2}


def test_what_we_hold_ourselves_is_not_reclaimed_by_us(settings: Settings, redis_client: Any):
    source_id = send(redis_client, event())

    async def scenario(holder: Member, _other: Member) -> None:
        await holder.take()
        age(redis_client, source_id, "a", 1)
        assert (await holder.reclaimer.reclaim(10)).entries == []

    with_two(settings, scenario)


def test_a_release_is_claimable_after_its_delay_and_uncharged_or_charged_as_told(settings: Settings, redis_client: Any):
    at_once, later, charged = (send(redis_client, event(name)) for name in ("x", "y", "z"))

    async def scenario(holder: Member, other: Member) -> None:
        entries = {entry.id: entry for entry in await holder.take()}
        await holder.releaser.release(
            [
                Release(entries[at_once], charged=False),
                Release(entries[later], charged=False, delay_seconds=LEASE_SECONDS / 2),
                Release(entries[charged], charged=True),
            ]
        )
        assert deliveries(redis_client) == {at_once: 0, later: 0, charged: 1}
        claimed = (await other.reclaimer.reclaim(10)).entries
        assert {entry.id: entry.deliveries for entry in claimed} == {at_once: 1, charged: 2}
        await eventually(lambda: idle_seconds(redis_client, later) >= LEASE_SECONDS)
        assert [entry.id for entry in (await other.reclaimer.reclaim(10)).entries] == [later]

    with_two(settings, scenario)


def test_an_entry_that_is_no_longer_ours_is_not_released(settings: Settings, redis_client: Any):
    source_id = send(redis_client, event())

    async def scenario(holder: Member, other: Member) -> None:
        (entry,) = await holder.take()
        age(redis_client, source_id, "a", 1)
        await other.reclaimer.reclaim(10)
        await holder.releaser.release([Release(entry, charged=False)])

    with_two(settings, scenario)

    assert deliveries(redis_client) == {source_id: 2}


def test_a_release_that_comes_late_does_not_give_back_the_same_entry_taken_again(settings: Settings, redis_client: Any):
    """Redis could not be told for longer than a lease; meanwhile another had the entry, and then we once more."""
    source_id = send(redis_client, event())

    async def scenario(holder: Member, other: Member) -> None:
        (first,) = await holder.take()
        age(redis_client, source_id, "a", 1)
        await other.reclaimer.reclaim(10)
        await holder.leases.renew()
        age(redis_client, source_id, RELEASED, 2)
        (again,) = (await holder.reclaimer.reclaim(10)).entries
        holder.leases.take(again, lambda: None)
        await holder.releaser.release([Release(first, charged=False)])
        assert again.id in holder.leases

    with_two(settings, scenario)

    assert deliveries(redis_client) == {source_id: 3}


def test_a_read_whose_reply_was_lost_is_given_back_uncharged(settings: Settings, redis_client: Any):
    lost, held = send(redis_client, event("x")), send(redis_client, event("y"))

    async def scenario(holder: Member, other: Member) -> None:
        for entry in await holder.fetcher.fetch(10):
            if entry.id == held:
                holder.leases.take(entry, lambda: None)
        assert await holder.releaser.release_strays() == 1
        assert [entry.id for entry in (await other.reclaimer.reclaim(10)).entries] == [lost]

    with_two(settings, scenario)

    assert deliveries(redis_client) == {lost: 1, held: 1}


def test_what_was_released_is_no_stray_and_keeps_its_charge_and_its_delay(settings: Settings, redis_client: Any):
    source_id = send(redis_client, event())

    async def scenario(holder: Member, other: Member) -> None:
        (entry,) = await holder.take()
        await holder.releaser.release([Release(entry, charged=True, delay_seconds=LEASE_SECONDS)])
        assert await holder.releaser.release_strays() == 0
        assert (await other.reclaimer.reclaim(10)).entries == []

    with_two(settings, scenario)

    assert deliveries(redis_client) == {source_id: 1}


def test_what_a_namesake_left_behind_when_it_crashed_is_no_stray(settings: Settings, redis_client: Any):
    source_id = send(redis_client, event())

    async def scenario(holder: Member, other: Member) -> None:
        await holder.fetcher.fetch(10)
        age(redis_client, source_id, "a", 1)
        assert await holder.releaser.release_strays() == 0

    with_two(settings, scenario)

    assert deliveries(redis_client) == {source_id: 1}


def test_an_entry_deleted_under_us_keeps_its_lease_until_its_outcome_is_written(settings: Settings, redis_client: Any):
    source_id = send(redis_client, event())

    async def scenario(holder: Member, _other: Member) -> None:
        await holder.take()
        redis_client.xdel(EVENTS, source_id)
        await holder.leases.renew()
        assert (holder.lost, len(holder.leases)) == ([], 1)

    with_two(settings, scenario)

    assert deliveries(redis_client) == {source_id: 1}


def test_releasing_an_entry_that_was_deleted_counts_it_as_lost(settings: Settings, redis_client: Any):
    source_id = send(redis_client, event())

    async def scenario(holder: Member, _other: Member) -> None:
        (entry,) = await holder.take()
        redis_client.xdel(EVENTS, source_id)
        await holder.releaser.release([Release(entry, charged=False)])
        assert holder.metrics.registry.get_sample_value("eval_data_lost_total") == 1

    with_two(settings, scenario)

    assert deliveries(redis_client) == {}


def test_a_stray_that_was_deleted_is_counted_as_lost_and_what_a_drain_cuts_off_too(
    settings: Settings, redis_client: Any
):
    stray, held = send(redis_client, event("x")), send(redis_client, event("y"))

    async def scenario(holder: Member, _other: Member) -> None:
        for entry in await holder.fetcher.fetch(10):
            if entry.id == held:
                holder.leases.take(entry, lambda: None)
        redis_client.xdel(EVENTS, stray, held)
        assert await holder.releaser.release_strays() == 0
        assert holder.metrics.registry.get_sample_value("eval_data_lost_total") == 1
        await holder.releaser.release_all()
        assert holder.metrics.registry.get_sample_value("eval_data_lost_total") == 2

    with_two(settings, scenario)

    assert deliveries(redis_client) == {}


def test_a_third_delivery_is_counted_as_a_suspect_and_only_claimed_alone(settings: Settings, redis_client: Any):
    suspect, second = send(redis_client, event("x")), send(redis_client, event("y"))

    async def scenario(holder: Member, other: Member) -> None:
        await holder.take()
        age(redis_client, suspect, "a", 2)
        age(redis_client, second, "a", 1)
        reclaimed = await other.reclaimer.reclaim(10)
        assert ([entry.id for entry in reclaimed.entries], reclaimed.suspects) == ([second], 1)
        claimed = await other.reclaimer.claim_suspect()
        assert claimed is not None
        assert (claimed.id, claimed.deliveries) == (suspect, 3)
        assert await other.reclaimer.claim_suspect() is None

    with_two(settings, scenario)


def test_what_a_living_worker_gave_back_is_no_suspect_however_often(settings: Settings, redis_client: Any):
    source_id = send(redis_client, event())

    async def scenario(holder: Member, other: Member) -> None:
        (first,) = await holder.take()
        third = replace(first, deliveries=3)
        age(redis_client, source_id, "a", 3)
        holder.leases.take(third, lambda: None)
        await holder.releaser.release([Release(third, charged=True)])
        assert await other.reclaimer.claim_suspect() is None
        (claimed,) = (await other.reclaimer.reclaim(10)).entries
        assert claimed.deliveries == 4

    with_two(settings, scenario)


def test_of_several_suspects_the_one_with_the_fewest_deliveries_goes_first(settings: Settings, redis_client: Any):
    ids = [send(redis_client, event(str(number))) for number in range(3)]

    async def scenario(holder: Member, other: Member) -> None:
        await holder.take()
        for source_id, count in zip(ids, (4, 2, 3), strict=True):
            age(redis_client, source_id, "a", count)
        order = [await other.reclaimer.claim_suspect() for _ in ids]
        assert [entry.deliveries for entry in order if entry] == [3, 4, 5]

    with_two(settings, scenario)


def test_past_the_limit_an_entry_is_claimed_at_once_since_it_will_not_run(settings: Settings, redis_client: Any):
    source_id = send(redis_client, event())

    async def scenario(holder: Member, other: Member) -> None:
        await holder.take()
        age(redis_client, source_id, "a", 5)
        (entry,) = (await other.reclaimer.reclaim(10)).entries
        assert entry.deliveries == 6

    with_two(settings, scenario)


def test_a_pending_entry_that_was_deleted_is_acknowledged_and_counted_as_lost(settings: Settings, redis_client: Any):
    first, suspect = send(redis_client, event("x")), send(redis_client, event("y"))

    async def scenario(holder: Member, other: Member) -> None:
        await holder.take()
        age(redis_client, first, "a", 1)
        age(redis_client, suspect, "a", 3)
        redis_client.xdel(EVENTS, first, suspect)
        assert (await other.reclaimer.reclaim(10)).entries == []
        assert await other.reclaimer.claim_suspect() is None
        assert other.metrics.registry.get_sample_value("eval_data_lost_total") == 2

    with_two(settings, scenario)

    assert deliveries(redis_client) == {}


def test_a_long_pending_list_is_walked_page_by_page(settings: Settings, redis_client: Any):
    for number in range(600):
        send(redis_client, event(str(number)))

    async def scenario(holder: Member, other: Member) -> None:
        entries = await holder.take(600)
        for entry in entries[:590]:  # suspects, which fill the first two pages and more
            age(redis_client, entry.id, "a", 2)
        for entry in entries[590:]:
            age(redis_client, entry.id, "a", 1)
        seen: list[str] = []

        async def walk() -> None:
            seen.extend(entry.id for entry in (await other.reclaimer.reclaim(4)).entries)

        for _ in range(6):
            await walk()
        assert seen == [entry.id for entry in entries[590:]]

    with_two(settings, scenario)


def test_a_lost_group_is_made_again_and_a_present_one_is_left_alone(settings: Settings, redis_client: Any):
    async def scenario(holder: Member, _other: Member) -> None:
        assert await holder.group.ensure() is False
        redis_client.flushall()
        await holder.group.recover()
        assert holder.metrics.registry.get_sample_value("eval_groups_recreated_total") == 1
        await holder.group.recover()
        assert holder.metrics.registry.get_sample_value("eval_groups_recreated_total") == 1

    with_two(settings, scenario)

    assert redis_client.xinfo_groups(EVENTS)[0]["name"] == b"eval-group"


def test_waiting_for_a_change_ends_with_a_lease(settings: Settings, redis_client: Any):
    send(redis_client, event())

    async def scenario(holder: Member, _other: Member) -> None:
        (entry,) = await holder.take()
        waiting = asyncio.create_task(holder.leases.change(60))
        await asyncio.sleep(0)
        holder.leases.drop(entry.id)
        await eventually(waiting.done)

    with_two(settings, scenario)


def test_more_entries_than_one_call_takes_are_all_renewed_released_and_swept(settings: Settings, redis_client: Any):
    many = MOST_IN_A_CALL * 2 + 7
    pipeline = redis_client.pipeline(transaction=False)
    for _ in range(many):
        pipeline.xadd(EVENTS, {"payload": "{}"})
    pipeline.execute()

    async def scenario(holder: Member, other: Member) -> None:
        entries = await holder.take(many)
        for entry in (entries[0], entries[-1]):
            age(redis_client, entry.id, "b", 1)
        await holder.leases.renew()
        assert holder.lost == [entries[0].id, entries[-1].id]

        await holder.releaser.release([Release(entry, charged=False) for entry in entries[1:-1]])
        assert len(holder.leases) == 0
        assert set(deliveries(redis_client).values()) == {0, 1}
        assert holder.metrics.registry.get_sample_value("eval_released_total", {"charged": "false"}) == many - 2

    with_two(settings, scenario)

    async def swept(holder: Member, _other: Member) -> None:
        entries = await holder.fetcher.fetch(many)
        holder.leases.take(entries[3], lambda: None)
        assert await holder.releaser.release_strays() == many - 1
        assert deliveries(redis_client)[entries[3].id] == 1

    redis_client.xgroup_destroy(EVENTS, GROUP)
    with_two(settings, swept)
