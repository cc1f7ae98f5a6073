"""The Redis users of docs/security.md: enough for each part, nothing more, and what is missing is named."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from redis.exceptions import NoPermissionError, ResponseError
from tests.command_line import Finished, run
from tests.evaluation.judges.scripted_model import ScriptedLanguageModel, reply
from tests.events import dead_letters, event, results, send
from tests.failures.switchable_model import SwitchableModel
from tests.processes import Worker, environment_for, redis_environment
from tests.servers.access_rights import PASSWORD, User, make_user, rules_of
from tests.servers.binaries import server_binary
from tests.servers.kinds import STREAMS
from tests.servers.tls import TlsServer
from tests.stream.working import with_settings, working
from tests.waiting import eventually, eventually_sync

from eval_worker.embedded import EmbeddedServer
from eval_worker.errors import RedisUnavailableError
from eval_worker.evaluation.judges.model import FailureKind, ModelFailure
from eval_worker.redis_connection import REDIS_ERRORS, connect, connect_sync, ping_or_explain
from eval_worker.settings import Settings, load_settings
from eval_worker.stream.rights import Rights
from eval_worker.wiring.streams import stream_names
from eval_worker.wiring.worker import RunningParts

Spawn = Callable[..., Worker]

KEYS = [rule for rule in rules_of(User.WORKER) if rule.startswith("~")]
COMMANDS = [rule for rule in rules_of(User.WORKER) if rule.startswith("+")]
CACHE, PACE = (rule for rule in rules_of(User.WORKER) if rule.startswith("("))
HALF_RIGHTS = [f"%{half}{key}" for half in "RW" for key in KEYS]

# What redis-py says of itself as it connects; being refused, it goes on.
LIBRARY_NAME = {"client|setinfo"}


@pytest.fixture(scope="module")
def tls_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TlsServer]:
    with TlsServer(tmp_path_factory.mktemp("tls")) as server:
        yield server


@pytest.fixture
def admin(tls_server: TlsServer, clean_environment: None) -> Iterator[Any]:
    with tls_server.admin() as client:
        client.flushall()
        client.acl_log_reset()
        yield client


@pytest.fixture(scope="module")
def plain_server() -> Iterator[EmbeddedServer]:
    with EmbeddedServer.on_socket(binary=server_binary()) as server:
        yield server


@pytest.fixture
def plain_admin(plain_server: EmbeddedServer, clean_environment: None) -> Iterator[Any]:
    with connect_sync(load_settings(redis_url=plain_server.url)) as client:
        client: Any
        client.flushall()
        client.script_flush()
        client.acl_log_reset()
        yield client


@pytest.fixture
def worker_settings(plain_server: EmbeddedServer, plain_admin: Any) -> Settings:
    """A worker's that is quick in everything it does now and then."""
    make_user(plain_admin, User.WORKER)
    user = {"redis_username": User.WORKER.value, "redis_password": PASSWORD}
    hurry = {"lease_seconds": 1.0, "drain_seconds": 0.5}
    return load_settings(redis_url=plain_server.url, **user, **hurry, judge_model="offline")


def settings_for(server: TlsServer, user: User) -> Settings:
    return load_settings(**server.settings_of(user), judge_model="offline")


def refused(admin: Any) -> set[str]:
    """The commands and keys that somebody was refused."""
    return {str(entry["object"]) for entry in admin.acl_log()} - LIBRARY_NAME


def test_each_part_does_its_work_over_tls_as_its_own_user(tls_server: TlsServer, admin: Any, spawn: Spawn):
    def as_user(user: User, module: str, *arguments: str) -> Finished:
        return run(module, *arguments, environment=redis_environment(settings_for(tls_server, user)))

    worker = spawn(environment_for(settings_for(tls_server, User.WORKER)))
    bad = json.dumps({"event_id": "evt-bad"})
    sent = as_user(User.PRODUCER, "eval_producer", "--wait", "-d", json.dumps(event()))
    also = as_user(User.PRODUCER, "eval_producer", "--wait", "--no-validate", "-d", bad)
    assert (sent.code, also.code) == (0, 1), sent.err + also.err
    (letter,) = (entry_id.decode() for entry_id, _ in admin.xrange(STREAMS["redis_dead_letter_stream"]))

    looks = [("status",), ("results",), ("dead-letters", "list"), ("dead-letters", "show", letter)]
    for user in (User.READER, User.OPERATOR):
        assert {look: as_user(user, "eval_worker", *look).code for look in looks} == dict.fromkeys(looks, 0)
    assert as_user(User.OPERATOR, "eval_worker", "dead-letters", "replay", letter).code == 0
    eventually_sync(lambda: dead_letters(admin))
    assert as_user(User.OPERATOR, "eval_worker", "dead-letters", "purge", "--all", "--yes").code == 0

    worker.signal(15)
    assert worker.wait(60) == 0
    assert refused(admin) == set()
    assert "'xdel'" in as_user(User.READER, "eval_worker", "dead-letters", "purge", letter, "--yes").err


def give_work(admin: Any) -> None:
    """An event that a worker left behind when it died, for another one to take over."""
    admin.xgroup_create("eval-events", "eval-group", "0", mkstream=True)
    source_id = send(admin, event(), "eval-events")
    admin.xreadgroup("eval-group", "dead", {"eval-events": ">"})
    admin.xclaim("eval-events", "eval-group", "dead", 0, [source_id], idle=60_000, justid=True)


def do_all_that_a_worker_does(settings: Settings, admin: Any) -> str:
    """Until an event is judged and the worker has left, or it was refused something; returns what it lacked."""
    lacks = ""

    def done(parts: RunningParts) -> bool:
        nonlocal lacks
        problem = parts.health.not_ready() or ""
        lacks = problem if "lacks" in problem else ""  # a script that looks at its rights first is refused nothing
        return bool(lacks or refused(admin) or (results(admin, "eval-results") and not problem))

    async def scenario() -> None:
        async with connect(settings) as client:
            await ping_or_explain(client, settings)
        async with working(settings, SwitchableModel(latency=0.6)) as parts:
            await eventually(lambda: done(parts))

    with suppress(*REDIS_ERRORS, RedisUnavailableError):  # at the start, a refusal ends it
        asyncio.run(scenario())
    return lacks


def test_a_worker_needs_no_more_than_its_rights(worker_settings: Settings, plain_admin: Any):
    give_work(plain_admin)

    do_all_that_a_worker_does(worker_settings, plain_admin)

    assert refused(plain_admin) == set()
    assert len(results(plain_admin, "eval-results")) == 1


@pytest.mark.parametrize("may_cache", [True, False])
def test_a_worker_keeps_judgements_where_it_may_and_judges_where_it_may_not(
    worker_settings: Settings, plain_admin: Any, may_cache: bool
):
    make_user(plain_admin, User.WORKER, without=None if may_cache else CACHE)
    for name in ("evt-1", "evt-2"):
        send(plain_admin, event(name), "eval-events")
    model = SwitchableModel()

    async def scenario() -> None:
        async with working(with_settings(worker_settings, judge_model="bedrock"), model):
            await eventually(lambda: len(results(plain_admin, "eval-results")) == 2)

    asyncio.run(scenario())
    assert model.calls == (5 if may_cache else 10)
    assert bool(refused(plain_admin)) is not may_cache


@pytest.mark.parametrize("may_share", [True, False])
def test_a_worker_shares_its_pace_where_it_may_and_keeps_its_own_where_it_may_not(
    worker_settings: Settings, plain_admin: Any, may_share: bool
):
    make_user(plain_admin, User.WORKER, without=None if may_share else PACE)
    send(plain_admin, event("evt-1"), "eval-events")
    throttled = ModelFailure(FailureKind.TRANSIENT, "throttled", "slow down")
    model = ScriptedLanguageModel(throttled, reply(5))

    async def scenario() -> None:
        async with working(with_settings(worker_settings, judge_model="bedrock"), model):
            await eventually(lambda: len(results(plain_admin, "eval-results")) == 1)

    asyncio.run(scenario())
    assert bool(plain_admin.exists("eval-pace:scripted")) is may_share
    assert bool(refused(plain_admin)) is not may_share


@pytest.mark.parametrize("right", [*COMMANDS, *KEYS])
def test_a_worker_needs_each_of_its_rights(worker_settings: Settings, plain_admin: Any, right: str):
    make_user(plain_admin, User.WORKER, without=right)
    give_work(plain_admin)

    lacks = do_all_that_a_worker_does(worker_settings, plain_admin)

    assert right[1:] in refused(plain_admin) or right in lacks


@pytest.mark.parametrize("half", HALF_RIGHTS)
def test_a_worker_needs_to_read_and_to_write_each_stream(worker_settings: Settings, plain_admin: Any, half: str):
    """A script's keys count as both read and written, whatever it does with them."""
    make_user(plain_admin, User.WORKER, without=half[2:], more=(half,))
    give_work(plain_admin)

    do_all_that_a_worker_does(worker_settings, plain_admin)

    assert half[3:] in refused(plain_admin)


@pytest.mark.parametrize(
    "command",
    [
        *("FLUSHALL", "FLUSHDB", "KEYS *", "SCAN 0", "CONFIG GET *", "ACL LIST", "ACL WHOAMI", "INFO", "DBSIZE"),
        *("CLIENT LIST", "CLIENT KILL TYPE normal", "SCRIPT FLUSH", "MONITOR", "SHUTDOWN", "REPLICAOF NO ONE"),
        *(
            "DEL eval-events",
            "SET eval-events x",
            "RENAME eval-events other",
            "EXPIRE eval-events 1",
            "TYPE eval-events",
        ),
        *("XLEN other", "XADD other * a b", "XGROUP DESTROY eval-events eval-group", "TYPE eval-events"),
        *("EVAL return(1) 1 other", "PUBLISH channel x", "SUBSCRIBE channel"),
    ],
)
@pytest.mark.parametrize("user", User)
def test_nobody_may_do_anything_else(tls_server: TlsServer, admin: Any, user: User, command: str):
    with connect_sync(settings_for(tls_server, user)) as client:
        client: Any
        with pytest.raises(NoPermissionError):
            client.execute_command(*command.split())


def test_a_script_reaches_no_other_key_either(tls_server: TlsServer, admin: Any):
    with connect_sync(settings_for(tls_server, User.WORKER)) as client:
        client: Any
        for script in ("return redis.call('XLEN', 'other')", "return redis.call('DEL', 'eval-events')"):
            with pytest.raises(ResponseError, match="The user executing the script can't"):
                client.eval(script, 0)


@pytest.mark.parametrize("right", [each for each in [*COMMANDS, *KEYS] if each != "+client|setname"])
def test_a_missing_right_is_named(worker_settings: Settings, plain_admin: Any, right: str):
    make_user(plain_admin, User.WORKER, without=right)

    async def missing() -> str | None:
        async with connect(worker_settings) as client:
            return await Rights(client, stream_names(worker_settings)[0]).missing()

    if right in {"+eval", "+evalsha"}:  # without which there is no asking; the server itself says what is missing
        with pytest.raises(NoPermissionError, match=f"'{right[1:]}'"):
            asyncio.run(missing())
    else:
        assert asyncio.run(missing()) == right


@pytest.mark.parametrize("right", ["+xack", "+xgroup|create", "+client|setname", "+evalsha", "~eval-results"])
def test_a_worker_without_a_right_does_not_start_and_names_it(worker_settings: Settings, plain_admin: Any, right: str):
    make_user(plain_admin, User.WORKER, without=right)

    ended = run("eval_worker", "run", environment=environment_for(worker_settings))

    assert ended.code == 1
    assert right.strip("+") in ended.err.splitlines()[-1]


@pytest.mark.parametrize("right", ["+xadd", "+xack", "+xdel"])
def test_a_right_that_is_taken_away_is_named_and_waited_for(
    worker_settings: Settings, plain_admin: Any, spawn: Spawn, right: str
):
    """All that settling needs: without one of them nothing is written, else each try would write once more."""
    worker = spawn(environment_for(worker_settings))
    make_user(plain_admin, User.WORKER, without=right)
    send(plain_admin, event(), "eval-events")

    eventually_sync(lambda: right in worker.why_not_ready())
    assert len(plain_admin.xrange("eval-events")) == 1
    assert results(plain_admin, "eval-results") == []

    make_user(plain_admin, User.WORKER)
    eventually_sync(lambda: not worker.why_not_ready())
    assert len(results(plain_admin, "eval-results")) == 1
    assert plain_admin.xlen("eval-events") == 0
