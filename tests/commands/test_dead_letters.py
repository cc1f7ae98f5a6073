import json
from datetime import UTC, datetime
from typing import Any

from tests.command_line import run, run_on_terminal

from eval_worker.dead_letter import DeadLetter, RawFields
from eval_worker.settings import Settings

PAYLOAD = b'{"event_id": "evt-1", "interaction": {"user_query": "\xc3\xa4"}}'


def bury(redis_client: Any, fields: RawFields = ((b"payload", PAYLOAD),), entry_id: str = "*") -> str:
    letter = DeadLetter(
        fields=fields,
        reason="interaction.answer: is required",
        error="malformed",
        source_id="1-0",
        deliveries=1,
        failed_at=datetime(2026, 1, 1, tzinfo=UTC),
        worker="host-1",
    )
    return redis_client.xadd("eval-dead-letters", dict(letter.to_stream_fields()), id=entry_id).decode()


def command(settings: Settings, *arguments: str):
    return run("eval_worker", "dead-letters", *arguments, settings=settings)


def test_a_list_in_a_pipe_is_one_json_line_each(settings: Settings, redis_client: Any):
    first, second = bury(redis_client), bury(redis_client, [(b"other", b"\xff")])
    letters = [json.loads(line) for line in command(settings, "list").lines]
    assert [letter["id"] for letter in letters] == [first, second]
    assert letters[0] == {
        "id": first,
        "event_id": "evt-1",
        "reason": "interaction.answer: is required",
        "error": "malformed",
        "deliveries": 1,
        "failed_at": "2026-01-01T00:00:00Z",
        "source_id": "1-0",
        "worker": "host-1",
    }
    assert letters[1]["event_id"] is None
    assert len(command(settings, "list", "--limit", "1").lines) == 1


def test_what_a_stranger_put_beside_them_is_listed_as_well(settings: Settings, redis_client: Any):
    redis_client.xadd("eval-dead-letters", {"deliveries": "²", "failed_at": "never", "payload": "["})
    (letter,) = (json.loads(line) for line in command(settings, "list").lines)
    assert (letter["deliveries"], letter["failed_at"], letter["event_id"]) == (None, "never", None)


def test_a_person_sees_a_table_and_how_many_more_there_are(settings: Settings, redis_client: Any):
    bury(redis_client)
    letter_id = bury(redis_client)
    seen = run_on_terminal("eval_worker", "dead-letters", "list", "--limit", "1", settings=settings).out
    assert "interaction.answer: is required" in seen
    assert letter_id not in seen
    assert "1 more" in seen


def test_an_empty_list_says_so(settings: Settings):
    assert "no dead letters" in run_on_terminal("eval_worker", "dead-letters", "list", settings=settings).out
    assert command(settings, "list").out == ""


def test_one_is_shown_whole_with_its_payload_decoded(settings: Settings, redis_client: Any):
    letter_id = bury(redis_client)
    shown = json.loads(command(settings, "show", letter_id).out)
    assert shown["payload"] == {"event_id": "evt-1", "interaction": {"user_query": "ä"}}
    assert shown["fields"] == {"payload": PAYLOAD.decode()}
    seen = run_on_terminal("eval_worker", "dead-letters", "show", letter_id, settings=settings).out
    assert '    "user_query": "ä"\n' in seen


def test_bytes_are_shown_as_base64(settings: Settings, redis_client: Any):
    letter_id = bury(redis_client, [(b"payload", b"\xff\xfe"), (b"x", b"1"), (b"x", b"2")])
    shown = json.loads(command(settings, "show", letter_id).out)
    assert shown["payload"] == {"base64": "//4="}
    assert shown["fields"] == [["payload", {"base64": "//4="}], ["x", "1"], ["x", "2"]]


def test_an_unknown_id_is_a_plain_line(settings: Settings):
    done = command(settings, "show", "1-1")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert "there is no dead letter 1-1" in done.err


def test_an_id_that_is_none_is_wrong_usage(settings: Settings):
    assert command(settings, "show", "evt-1").code == 2
    assert command(settings, "replay", "1-1", "-").code == 2


def test_replaying_prints_the_new_ids_and_names_what_is_missing(settings: Settings, redis_client: Any):
    letter_id = bury(redis_client)
    done = command(settings, "replay", letter_id, "1-1")
    (new_id,) = done.lines
    assert done.code == 1
    assert "1-1" in done.err
    assert redis_client.xread({"eval-events": "0"}) == [[b"eval-events", [[new_id.encode(), [b"payload", PAYLOAD]]]]]
    assert redis_client.xlen("eval-dead-letters") == 0


def test_replaying_all_leaves_what_no_worker_wrote(settings: Settings, redis_client: Any):
    bury(redis_client)
    redis_client.xadd("eval-dead-letters", {"reason": "by hand"})
    bury(redis_client)
    done = command(settings, "replay", "--all")
    assert (done.code, len(done.lines)) == (1, 2)
    assert (redis_client.xlen("eval-events"), redis_client.xlen("eval-dead-letters")) == (2, 1)


def test_replay_and_purge_want_to_know_which(settings: Settings):
    for arguments in (["replay"], ["replay", "--all", "1-1"], ["purge"], ["purge", "--all", "--older-than", "1d"]):
        assert command(settings, *arguments).code == 2


def test_purging_without_a_terminal_needs_a_yes(settings: Settings, redis_client: Any):
    bury(redis_client)
    assert command(settings, "purge", "--all").code == 2
    assert redis_client.xlen("eval-dead-letters") == 1
    assert command(settings, "purge", "--all", "--yes").code == 0
    assert redis_client.xlen("eval-dead-letters") == 0


def test_a_person_is_asked_before_purging(settings: Settings, redis_client: Any):
    bury(redis_client)
    refused = run_on_terminal("eval_worker", "dead-letters", "purge", "--all", settings=settings, answer=b"n\n")
    assert "Delete the one dead letter in eval-dead-letters for good?" in refused.out
    assert redis_client.xlen("eval-dead-letters") == 1
    agreed = run_on_terminal("eval_worker", "dead-letters", "purge", "--all", settings=settings, answer=b"y\n")
    assert agreed.code == 0
    assert redis_client.xlen("eval-dead-letters") == 0


def test_a_person_is_told_how_many_are_older_and_than_what(settings: Settings, redis_client: Any):
    now_ms = redis_client.time()[0] * 1000
    for days in (9, 8, 6):
        bury(redis_client, entry_id=f"{now_ms - days * 86_400_000}-0")
    purge = ("eval_worker", "dead-letters", "purge", "--older-than", "7d")

    refused = run_on_terminal(*purge, settings=settings, answer=b"n\n")
    assert "Delete 2 dead letters older than 7d in eval-dead-letters for good?" in refused.out
    assert redis_client.xlen("eval-dead-letters") == 3
    agreed = run_on_terminal(*purge, settings=settings, answer=b"y\n")
    assert "purged 2" in agreed.out
    assert redis_client.xlen("eval-dead-letters") == 1


def test_purging_by_id_and_by_age(settings: Settings, redis_client: Any):
    now_ms = redis_client.time()[0] * 1000
    old = bury(redis_client, entry_id=f"{now_ms - 8 * 86_400_000}-0")
    young, named = bury(redis_client), bury(redis_client)
    assert command(settings, "purge", named, "--yes").code == 0
    assert command(settings, "purge", named, "--yes").code == 1
    assert command(settings, "purge", "--older-than", "7d", "--yes").code == 0
    left = [json.loads(line)["id"] for line in command(settings, "list").lines]
    assert left == [young]
    assert old not in left
