"""Who holds what, and until when."""

import asyncio
from typing import Any

from tests.events import EVENTS, deliveries, event, send
from tests.stream.two_members import LEASE_SECONDS, Member, age, idle_seconds, with_two
from tests.waiting import eventually

from eval_worker.settings import Settings


def test_a_renewed_lease_is_not_taken_over_and_renewing_charges_nothing(settings: Settings, redis_client: Any):
    source_id = send(redis_client, event())

    async def scenario(holder: Member, other: Member) -> None:
        await holder.take()
        for _ in range(4):
            age(redis_client, source_id, "a", 1, seconds=0.8 * LEASE_SECONDS)
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


def test_an_entry_deleted_under_us_keeps_its_lease_until_its_outcome_is_written(settings: Settings, redis_client: Any):
    source_id = send(redis_client, event())

    async def scenario(holder: Member, _other: Member) -> None:
        await holder.take()
        redis_client.xdel(EVENTS, source_id)
        await holder.leases.renew()
        assert (holder.lost, len(holder.leases)) == ([], 1)

    with_two(settings, scenario)

    assert deliveries(redis_client) == {source_id: 1}


def test_waiting_for_a_change_ends_with_a_lease(settings: Settings, redis_client: Any):
    send(redis_client, event())

    async def scenario(holder: Member, _other: Member) -> None:
        (entry,) = await holder.take()
        waiting = asyncio.create_task(holder.leases.change(60))
        await asyncio.sleep(0)
        holder.leases.drop(entry.id)
        await eventually(waiting.done)

    with_two(settings, scenario)
