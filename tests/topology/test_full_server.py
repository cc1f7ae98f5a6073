"""A server that has reached maxmemory and evicts nothing: what was judged is kept until there is room again."""

import asyncio
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.command_line import run
from tests.events import deliveries, event, results, send
from tests.failures.switchable_model import DENIED, SwitchableModel
from tests.processes import Worker, environment_for
from tests.servers.binaries import redis_server, server_binary
from tests.stream.working import with_settings, working
from tests.waiting import eventually, eventually_sync

from eval_worker.embedded import EmbeddedServer
from eval_worker.redis_connection import connect_sync
from eval_worker.settings import Settings, load_settings

COUNT = 12
Spawn = Callable[..., Worker]


@pytest.fixture(params=["chosen", "redis-server"], scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[EmbeddedServer]:
    """What is refused to a full server differs from one make to the other."""
    binary = server_binary() if request.param == "chosen" else redis_server()
    with EmbeddedServer.on_socket(binary=binary) as server:
        yield server


@pytest.fixture
def settings(server: EmbeddedServer, clean_environment: None) -> Settings:
    return load_settings(redis_url=server.url, judge_model="offline", lease_seconds=2.0, drain_seconds=1.0)


@pytest.fixture
def admin(settings: Settings) -> Iterator[Any]:
    with connect_sync(settings) as client:
        client: Any
        client.flushall()
        client.xgroup_create("eval-events", "eval-group", "0", mkstream=True)
        yield client
        client.config_set("maxmemory", "0")


@contextmanager
def full(admin: Any) -> Generator[None]:
    admin.config_set("maxmemory", "1")
    yield
    admin.config_set("maxmemory", "0")


def send_all(admin: Any) -> set[str]:
    return {send(admin, event(f"evt-{number}"), "eval-events") for number in range(COUNT)}


def judged(admin: Any) -> list[str]:
    return [result["source_id"] for result in results(admin, "eval-results")]


def test_outcomes_are_kept_until_there_is_room(settings: Settings, admin: Any):
    sent = send_all(admin)
    model = SwitchableModel()

    async def scenario() -> None:
        with full(admin):
            async with working(settings, model) as parts:
                await eventually(lambda: parts.worker.lanes[0]._settler.waiting == COUNT)
                await eventually(lambda: "OOM" in (parts.health.not_ready() or ""))
                asked = model.calls
                await eventually(lambda: idle_is_renewed(admin))
                assert (judged(admin), admin.xlen("eval-events")) == ([], COUNT)
                admin.config_set("maxmemory", "0")
                await eventually(lambda: len(judged(admin)) == COUNT)
                await eventually(lambda: parts.health.not_ready() is None)
                assert model.calls == asked

    asyncio.run(scenario())

    assert set(judged(admin)) == sent


def test_a_worker_process_says_once_what_it_waits_for_and_goes_on_by_itself(
    settings: Settings, admin: Any, spawn: Spawn
):
    send_all(admin)
    with full(admin):
        worker = spawn(environment_for(settings))
        eventually_sync(lambda: "redis: settle: OOM" in worker.why_not_ready())
        eventually_sync(lambda: idle_is_renewed(admin))
    eventually_sync(lambda: len(judged(admin)) == COUNT)
    eventually_sync(lambda: not worker.why_not_ready())

    assert len([line for line in worker.log if "redis does not answer or refuses; waiting" in line]) == 1


def idle_is_renewed(admin: Any) -> bool:
    pending = admin.xpending_range("eval-events", "eval-group", "-", "+", COUNT)
    return bool(pending) and max(each["time_since_delivered"] for each in pending) < 1_000


def test_events_are_given_back_to_a_full_server_uncharged(settings: Settings, admin: Any):
    sent = send_all(admin)
    model = SwitchableModel(DENIED)

    async def scenario() -> None:
        with full(admin):
            async with working(settings, model):
                await eventually(lambda: set(deliveries(admin, "eval-events").values()) == {0})
        model.failure = None
        async with working(settings, model):
            await eventually(lambda: len(judged(admin)) == COUNT)

    asyncio.run(scenario())

    assert set(judged(admin)) == sent


def test_a_worker_that_leaves_a_full_server_gives_back_what_it_could_not_write(settings: Settings, admin: Any):
    """Uncharged: however often a worker is replaced meanwhile, no event ends as a dead letter for it."""
    sent = send_all(admin)
    unhurried = with_settings(settings, drain_seconds=5.0)

    async def scenario() -> None:
        with full(admin):
            async with working(unhurried, SwitchableModel()) as parts:
                await eventually(lambda: parts.worker.lanes[0]._settler.waiting == COUNT)
        assert deliveries(admin, "eval-events") == dict.fromkeys(sent, 0)
        async with working(settings, SwitchableModel()):
            await eventually(lambda: len(judged(admin)) == COUNT)

    asyncio.run(scenario())

    assert set(judged(admin)) == sent


def test_room_that_people_make_on_a_full_server_is_used(settings: Settings, admin: Any):
    """Trimming results needs no memory, settling does: so somebody has to begin."""
    for _ in range(2_000):
        admin.xadd("eval-results", {"payload": "x" * 2_000})
    sent = send_all(admin)

    async def scenario() -> None:
        admin.config_set("maxmemory", str(admin.info("memory")["used_memory"] - 500_000))
        async with working(settings, SwitchableModel()) as parts:
            await eventually(lambda: "OOM" in (parts.health.not_ready() or ""))
            assert admin.xlen("eval-events") == COUNT
            admin.xtrim("eval-results", maxlen=0, approximate=False)
            await eventually(lambda: len(judged(admin)) == COUNT)

    asyncio.run(scenario())

    assert set(judged(admin)) == sent


def test_a_worker_starts_on_a_full_server_where_its_group_is(settings: Settings, admin: Any, spawn: Spawn):
    with full(admin):
        worker = spawn(environment_for(settings))
        assert worker.logged("ready")


def test_a_worker_that_cannot_make_its_group_says_that_the_server_is_full(settings: Settings, admin: Any):
    admin.xgroup_destroy("eval-events", "eval-group")

    with full(admin):
        ended = run("eval_worker", "run", environment=environment_for(settings))

    assert ended.code == 1
    assert "is full (maxmemory): give it more memory, or trim eval-results" in ended.err.splitlines()[-1]
