"""Dead letters over HTTP: anybody with a key may look, replay and purge; without keys only look."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import pytest
from pydantic import SecretStr
from tests.doors.http_api.dashboard.lost_replies import losing_replies
from tests.doors.http_api.dashboard.stored_letters import add_letter
from tests.doors.http_api.serving import Reply, Served, serving
from tests.events import event
from tests.planted_secrets import API_KEY
from tests.servers.access_rights import PASSWORD, User, make_user
from tests.servers.kinds import DEAD_LETTERS, EVENTS

from eval_worker.doors.http_api.dashboard import letter_list
from eval_worker.doors.http_api.dashboard.letter_list import LOOK_SECONDS, LetterList
from eval_worker.redis_connection import connect
from eval_worker.settings import Settings
from eval_worker.stream.dead_letters import StoredDeadLetter
from eval_worker.stream.partitioned_dead_letters import dead_letters_of

LETTERS = "/api/v1/dead-letters"
UNREADABLE = ("none", "", "{}", "[]", "5", '{"payload": 5}', "[" * 100_000)


@pytest.fixture
def api(operator_settings: Settings) -> Iterator[Served]:
    with serving(operator_settings, api_keys=SecretStr(API_KEY)) as served:
        yield served


def look(api: Served, path: str = LETTERS) -> Any:
    return api.get(path, X_API_Key=API_KEY).document


def act(api: Served, what: str, *ids: str) -> Reply:
    return api.post(f"{LETTERS}/{what}", {"ids": list(ids)}, X_API_Key=API_KEY)


def test_they_are_listed_newest_first_and_one_is_shown_whole(api: Served, redis_client: Any):
    first = add_letter(redis_client, event("a"))
    second = add_letter(redis_client, "not JSON")

    listed = look(api)
    whole = look(api, f"{LETTERS}/{first}")

    assert [(each["id"], each["event_id"]) for each in listed["letters"]] == [(second, None), (first, "a")]
    assert (listed["total"], listed["complete"]) == (2, True)
    assert json.loads(whole["payload"]) == event("a")
    assert not whole["cut"]
    assert look(api, f"{LETTERS}?limit=1")["complete"] is False


def test_bytes_that_are_no_text_are_shown_as_far_as_they_are(api: Served, redis_client: Any):
    letter = add_letter(redis_client, b'\xff\x00{"event_id": "\\ud800"}')
    half = add_letter(redis_client, b'{"event_id": "\\ud800"}')

    assert look(api, f"{LETTERS}/{letter}")["payload"].startswith("\ufffd\x00{")
    assert look(api)["letters"][0]["event_id"] == "?"
    assert look(api, f"{LETTERS}/{half}")["event_id"] == "?"


def test_a_long_list_of_large_ones_is_cut_off(api: Served, redis_client: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(letter_list, "MOST_BYTES", 160_000)
    for _ in range(20):
        add_letter(redis_client, "x" * 10_000)

    listed = look(api)

    assert 1 < len(listed["letters"]) < 20
    assert (listed["total"], listed["complete"]) == (20, False)


def test_replaying_puts_the_event_back_byte_for_byte_and_once(api: Served, redis_client: Any):
    letter = add_letter(redis_client, event("a"))

    reply = act(api, "replay", letter, letter).document
    again = act(api, "replay", letter).document

    ((entry_id, fields),) = redis_client.xrange(EVENTS)
    assert reply == {"replayed": {letter: entry_id.decode()}, "refused": []}
    assert json.loads(fields[b"payload"]) == event("a")
    assert again["replayed"] == {}
    assert "was replayed or purged meanwhile" in again["refused"][0]["problem"]
    assert redis_client.xlen(DEAD_LETTERS) == 0


@pytest.mark.parametrize("fields", UNREADABLE, ids=lambda text: text[:9])
def test_one_that_cant_be_replayed_does_not_keep_the_others(api: Served, redis_client: Any, fields: str):
    broken, good = add_letter(redis_client, "x", fields=fields), add_letter(redis_client, event())

    reply = act(api, "replay", broken, good).document

    assert list(reply["replayed"]) == [good]
    assert [each["id"] for each in reply["refused"]] == [broken]


def test_purging_deletes_what_was_named_and_nothing_else(api: Served, redis_client: Any):
    gone, kept = add_letter(redis_client, event("a")), add_letter(redis_client, event("b"))

    assert act(api, "purge", gone, "1-1").document == {"purged": 1}
    assert [entry_id.decode() for entry_id, _ in redis_client.xrange(DEAD_LETTERS)] == [kept]
    assert redis_client.xlen(EVENTS) == 0


@pytest.mark.parametrize("what", ["replay", "purge"])
def test_where_no_reply_came_it_is_said_that_it_may_have_been_done(settings: Settings, redis_client: Any, what: str):
    assert settings.redis_url is not None
    letter = add_letter(redis_client, event("a"))
    url = settings.redis_url.get_secret_value()
    with losing_replies(url.rpartition("@")[2], to=(b"EVAL", b"XDEL")) as port:
        through = SecretStr(f"redis{url.removeprefix('unix').rpartition('@')[0]}@127.0.0.1:{port}")
        with serving(settings, redis_url=through, api_keys=SecretStr(API_KEY)) as api:
            reply = act(api, what, letter)

    assert redis_client.xlen(DEAD_LETTERS) == 0
    assert reply.status == 504
    assert "may or may not have been" in reply.error
    assert "trying again does nothing twice" in reply.error


def test_many_viewers_read_the_letters_once(api: Served, redis_client: Any):
    for number in range(20):
        add_letter(redis_client, {"event_id": f"e{number}", "text": "x" * 50_000})
    look(api)
    before = redis_client.info("stats")["total_net_output_bytes"]

    with ThreadPoolExecutor(4) as viewers:
        totals = list(viewers.map(lambda number: look(api, f"{LETTERS}?limit={number + 1}")["total"], range(20)))

    assert set(totals) == {20}
    assert redis_client.info("stats")["total_net_output_bytes"] - before < 20 * 50_000


def test_a_letter_that_was_listed_is_not_parsed_again(
    settings: Settings, redis_client: Any, monkeypatch: pytest.MonkeyPatch
):
    parsed: list[str] = []
    monkeypatch.setattr(StoredDeadLetter, "event_id", property(lambda letter: parsed.append(letter.id)))
    first = add_letter(redis_client, event("a"))

    async def run() -> list[str]:
        async with connect(settings) as client:
            seconds = count(step=10)
            letters = LetterList(dead_letters_of(client, settings), lambda: next(seconds))
            await letters.newest(100)
            add_letter(redis_client, event("b"))
            return [each.id for each in (await letters.newest(100)).letters]

    second, _ = listed = asyncio.run(run())

    assert listed == [second, first]
    assert parsed == [first, second]


def test_letters_are_looked_at_once_a_second_and_at_once_after_a_change(settings: Settings, redis_client: Any):
    async def run() -> None:
        async with connect(settings) as client:
            now = 0.0
            letters = LetterList(dead_letters_of(client, settings), lambda: now)
            assert (await letters.newest(100)).total == 0
            add_letter(redis_client, event("a"))
            assert (await letters.newest(100)).total == 0
            letters.read_again()
            assert (await letters.newest(100)).total == 1
            add_letter(redis_client, event("b"))
            now += LOOK_SECONDS
            assert (await letters.newest(100)).total == 2

    asyncio.run(run())


def test_no_cache_keeps_what_is_shown_here(api: Served, redis_client: Any):
    letter = add_letter(redis_client, event("a"))

    for path in (LETTERS, f"{LETTERS}/{letter}", f"{LETTERS}/1-1", "/api/v1/results/1-1", "/api/v1/results"):
        assert api.get(path, X_API_Key=API_KEY).headers["cache-control"] == "no-store", path
    assert api.get("/api/v1/overview", X_API_Key=API_KEY).headers["cache-control"] == "private, no-cache"


@pytest.mark.parametrize("what", ["replay", "purge"])
def test_without_keys_nothing_is_changed(settings: Settings, redis_client: Any, what: str):
    letter = add_letter(redis_client, event())
    with serving(settings) as api:
        reply = api.post(f"{LETTERS}/{what}", {"ids": [letter]})
        listed = api.get(LETTERS)

    assert reply.status == 403
    assert reply.error.endswith("set API_KEYS")
    assert listed.document["total"] == 1
    assert redis_client.xlen(DEAD_LETTERS) == 1


@pytest.mark.parametrize("what", ["replay", "purge"])
def test_without_the_key_nothing_is_changed(api: Served, redis_client: Any, what: str):
    letter = add_letter(redis_client, event())

    assert api.post(f"{LETTERS}/{what}", {"ids": [letter]}).status == 401
    assert api.get(LETTERS).status == 401
    assert redis_client.xlen(DEAD_LETTERS) == 1


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"{", "payload: "),
        ({"ids": []}, "ids: must not be empty"),
        ({"ids": ["all"]}, "ids.0: 'all' is not an id such as 1700000000000-0"),
        ({"ids": ["1-1"], "every": True}, "every: is no key that is known here"),
        ({"ids": ["1-1"] * 101}, "ids: "),
    ],
)
def test_a_wrong_body_is_a_400_that_names_the_field(api: Served, body: Any, problem: str):
    reply = api.post(f"{LETTERS}/purge", body, X_API_Key=API_KEY)

    assert reply.status == 400
    assert reply.error.startswith(problem)


@pytest.mark.parametrize("path", [LETTERS, "/api/v1/results"])
def test_what_is_no_id_is_said_to_be_none(api: Served, path: str):
    reply = api.get(f"{path}/zzz", X_API_Key=API_KEY)

    assert (reply.status, reply.error) == (400, "entry_id: 'zzz' is not an id such as 1700000000000-0")


def test_a_body_that_is_too_large_is_not_read(api: Served):
    assert api.post(f"{LETTERS}/purge", b" " * 100_000, X_API_Key=API_KEY).status == 413


@pytest.mark.parametrize("what", ["replay", "purge"])
def test_a_redis_user_that_may_only_read_is_told_so_in_a_sentence(settings: Settings, redis_client: Any, what: str):
    make_user(redis_client, User.READER)
    letter = add_letter(redis_client, event())
    assert settings.redis_url is not None
    path = settings.redis_url.get_secret_value().rpartition("@")[2]
    url = SecretStr(f"unix://{User.READER}:{PASSWORD}@{path}")
    with serving(settings, redis_url=url, api_keys=SecretStr(API_KEY)) as api:
        listed, reply = look(api), act(api, what, letter)

    assert listed.get("total") == 1, listed
    assert reply.status == 403
    assert "refused a command to this user: check REDIS_USERNAME and its rights" in reply.error
    assert redis_client.xlen(DEAD_LETTERS) == 1
    assert redis_client.xlen(EVENTS) == 0
