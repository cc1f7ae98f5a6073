"""Who may take over what, and what is charged for it."""

from typing import Any

from tests.events import EVENTS, deliveries, event, send
from tests.stream.two_members import Member, age, with_two

from eval_worker.settings import Settings


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
