"""JSON-RPC lines through real pipes, without any SDK on the client's side."""

import json
import os
import signal
import subprocess
from typing import Any

import pytest
from tests.doors.mcp_server.line_client import (
    COMMAND,
    GOOD,
    OFFLINE,
    SECONDS,
    LineClient,
    as_lines,
    handshake,
    message,
    piped,
    text_of,
    tool_call,
)
from tests.planted_secrets import AWS_KEYS

from eval_worker.testing import FakeBedrock

PROMPTLY = 20.0
NEWEST = "2026-07-28"


def bedrock_environment(bedrock: FakeBedrock) -> dict[str, str]:
    return {**os.environ, **bedrock.environment(), **AWS_KEYS, "JUDGE_MODEL": "bedrock"}


def test_lines_of_the_oldest_protocol_are_answered_though_the_pipe_closes_right_after_the_last():
    call = tool_call(3)

    code, answers, _err = piped([*handshake("2024-11-05"), message("tools/list", number=2), call], *OFFLINE)

    assert code == 0
    initialized, listed, judged = answers
    assert initialized["result"]["protocolVersion"] == "2024-11-05"
    names = [tool["name"] for tool in listed["result"]["tools"]]
    assert names == ["evaluate_response", "evaluate_single_judge", "evaluate_conversation"]
    result = json.loads(text_of(judged))
    assert (result["id"], result["verdict"], len(result["stages"])) == ("test-1", "pass", 8)
    assert judged["result"]["isError"] is False


def test_lines_of_the_newest_protocol_need_no_handshake():
    envelope = {
        "io.modelcontextprotocol/protocolVersion": NEWEST,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1.0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params: dict[str, Any] = {"_meta": envelope, "name": "evaluate_response", "arguments": GOOD}

    code, answers, _err = piped(
        [message("tools/list", {"_meta": envelope}, number=1), message("tools/call", params, number=2)], *OFFLINE
    )

    assert code == 0
    by_id = {answer["id"]: answer["result"] for answer in answers}
    assert len(by_id[1]["tools"]) == 3
    assert by_id[2]["structuredContent"]["verdict"] == "pass"


def test_what_is_no_message_is_told_apart_and_stops_nothing_and_a_bare_environment_is_enough():
    with LineClient(*OFFLINE, env={}) as client:
        assert client.process.stdin is not None
        client.process.stdin.write(b"hello\n\n{}\n")
        client.send(message("ping", number=2))

        not_json, no_message, pong = client.receive(), client.receive(), client.receive()

    assert (not_json["error"]["code"], no_message["error"]["code"], pong["id"]) == (-32700, -32600, 2)
    assert "one JSON-RPC message a line" in not_json["error"]["message"]


def test_whoever_sends_half_a_surrogate_pair_is_not_left_waiting():
    code, answers, _err = piped([*handshake(), tool_call(2, answer="cut \ud83d"), tool_call("\ud83d")], *OFFLINE)

    assert code == 0
    assert (answers[1]["id"], answers[1]["error"]["code"]) == (2, -32600)
    assert "half a surrogate pair" in answers[1]["error"]["message"]
    assert (answers[2]["id"], answers[2]["error"]["code"]) == (None, -32700)


def test_without_credentials_it_starts_and_each_call_says_what_is_missing():
    code, answers, err = piped([*handshake(), message("tools/list", number=2), tool_call(3)])

    assert code == 0
    refused = next(answer for answer in answers if answer["id"] == 3)
    assert refused["result"]["isError"] is True
    assert "AWS_ACCESS_KEY_ID" in text_of(refused)
    assert "--judge-model offline" in text_of(refused)
    assert "no judge model yet" in err


def test_a_cancelled_call_is_not_waited_for(bedrock: FakeBedrock):
    bedrock.latency(60)
    with LineClient(env={**bedrock_environment(bedrock), "DRAIN_SECONDS": "60"}) as client:
        client.send(tool_call(2))
        bedrock.wait_until(lambda seen: seen.in_flight == 4, timeout=SECONDS)
        client.send(message("notifications/cancelled", {"requestId": "2"}))

        client.close_stdin()

        assert client.process.wait(PROMPTLY) == 0
        assert client.rest() == []


def test_a_call_under_way_is_answered_after_stdin_has_ended_and_the_process_leaves(bedrock: FakeBedrock):
    bedrock.latency(0.5)

    code, answers, _err = piped([*handshake(), tool_call(2)], env=bedrock_environment(bedrock))

    assert (code, answers[1]["id"]) == (0, 2)
    assert json.loads(text_of(answers[1]))["usage"]["llm_calls"] == 4


def test_a_call_that_takes_longer_than_drain_seconds_is_given_up_after_stdin_has_ended(bedrock: FakeBedrock):
    bedrock.latency(60)

    code, answers, _err = piped(
        [*handshake(), tool_call(2)], env={**bedrock_environment(bedrock), "DRAIN_SECONDS": "0.5"}
    )

    assert (code, answers[1]["error"]["message"]) == (0, "Connection closed")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_at_once_though_threads_wait_for_the_provider(bedrock: FakeBedrock, number: int):
    bedrock.latency(60)
    with LineClient(env=bedrock_environment(bedrock)) as client:
        client.send(tool_call(2))
        bedrock.wait_until(lambda seen: seen.in_flight == 4, timeout=SECONDS)

        client.process.send_signal(number)

        assert client.process.wait(PROMPTLY) == 0


def test_a_client_that_is_gone_ends_it_with_its_judges(bedrock: FakeBedrock):
    bedrock.latency(60)
    with LineClient(env={**bedrock_environment(bedrock), "DRAIN_SECONDS": "60"}) as client:
        client.send(tool_call(2))
        bedrock.wait_until(lambda seen: seen.in_flight == 4, timeout=SECONDS)

        client.hang_up()

        assert client.process.wait(PROMPTLY) == 0


def test_a_client_that_is_gone_before_its_first_answer_leaves_no_traceback():
    with subprocess.Popen(
        [*COMMAND, *OFFLINE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()

        process.stdin.write(as_lines([*handshake(), *(message("ping", number=number) for number in range(2, 9))]))
        process.stdin.close()

        said = process.stderr.read().decode()
        assert (process.wait(PROMPTLY), said.count("Traceback")) == (0, 0)


def test_answers_that_nobody_reads_end_it_though_stdin_stays_open():
    with LineClient(*OFFLINE) as client:
        assert client.process.stdout is not None
        client.process.stdout.close()

        client.send(message("ping", number=2))

        assert client.process.wait(PROMPTLY) == 0


def test_a_wrong_setting_stops_the_start_with_one_line():
    done = subprocess.run(
        [*COMMAND, "--judge-model", "bedrok"], capture_output=True, text=True, timeout=SECONDS, check=False
    )

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("eval-worker: JUDGE_MODEL: must be bedrock, offline or langchain:<class path>")
