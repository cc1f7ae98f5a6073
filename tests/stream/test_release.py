"""What is given back: when it can be claimed again, and whether it is charged."""

from dataclasses import replace
from typing import Any

from tests.events import EVENTS, GROUP, deliveries, event, send
from tests.stream.two_members import LEASE_SECONDS, Member, age, idle_seconds, with_two

from eval_worker.settings import Settings
from eval_worker.stream.lua_script import MOST_IN_A_CALL
from eval_worker.stream.names import RELEASED
from eval_worker.stream.release import Release


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
        assert LEASE_SECONDS / 2 <= idle_seconds(redis_client, later) < LEASE_SECONDS
        age(redis_client, later, RELEASED, 0)
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
