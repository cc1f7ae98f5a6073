"""The Redis users of docs/partitions.md can do their part, and are refused nothing on the way."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.command_line import Finished, run
from tests.events import event
from tests.processes import Worker, environment_for, redis_environment
from tests.servers.access_rights import PASSWORD, User, make_user
from tests.servers.binaries import server_binary
from tests.waiting import eventually_sync

from eval_worker.embedded import EmbeddedServer
from eval_worker.partitions import partitions_of
from eval_worker.redis_connection import connect_sync
from eval_worker.settings import Settings, load_settings

LIBRARY_NAME = "client|setinfo"  # what redis-py says of itself as it connects; being refused, it goes on


@pytest.fixture
def server(clean_environment: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddedServer]:
    monkeypatch.setenv("STREAM_PARTITIONS", "3")
    with EmbeddedServer.on_socket(binary=server_binary()) as started:
        yield started


def settings_of(server: EmbeddedServer, user: User) -> Settings:
    return load_settings(redis_url=server.url, redis_username=user.value, redis_password=PASSWORD)


def test_each_part_does_its_work_as_its_own_user(server: EmbeddedServer, spawn: Callable[..., Worker]):
    def as_user(user: User, module: str, *arguments: str, stdin: bytes = b"") -> Finished:
        return run(module, *arguments, environment=redis_environment(settings_of(server, user)), stdin=stdin)

    with connect_sync(load_settings(redis_url=server.url)) as admin:
        admin: Any
        for user in User:
            make_user(admin, user, page="docs/partitions.md")
        worker = spawn(environment_for(settings_of(server, User.WORKER)))
        good = b"\n".join(json.dumps(event(f"evt-{number}")).encode() for number in range(9))
        sent = as_user(User.PRODUCER, "eval_producer", "--wait", "-f", "-", stdin=good)
        bad = as_user(User.PRODUCER, "eval_producer", "--wait", "--no-validate", "-d", '{"event_id": "evt-bad"}')
        assert (sent.code, bad.code) == (0, 1), sent.err + bad.err
        letter = json.loads(as_user(User.READER, "eval_worker", "dead-letters", "list").out)["id"]

        looks = [("status",), ("results",), ("dead-letters", "list"), ("dead-letters", "show", letter)]
        for user in (User.READER, User.OPERATOR):
            assert {look: as_user(user, "eval_worker", *look).code for look in looks} == dict.fromkeys(looks, 0)
        assert as_user(User.OPERATOR, "eval_worker", "dead-letters", "replay", letter).code == 0
        place = next(each for each in partitions_of(load_settings()) if letter.startswith(each.prefix))
        eventually_sync(lambda: admin.xlen(place.dead_letters))
        assert as_user(User.OPERATOR, "eval_worker", "dead-letters", "purge", "--all", "--yes").code == 0

        worker.signal(15)
        assert worker.wait(60) == 0
        assert {str(entry["object"]) for entry in admin.acl_log()} <= {LIBRARY_NAME}
