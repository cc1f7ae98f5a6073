"""Speaks to `eval-worker mcp` as a client without any SDK does: one JSON-RPC message a line."""

import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Self

from tests.planted_secrets import overheard

COMMAND = (sys.executable, "-m", "eval_worker", "mcp")
OFFLINE = ("--judge-model", "offline")
SECONDS = 60

GOOD = {"event_id": "test-1", "user_query": "What is AI?", "answer": "AI is artificial intelligence", "context": ""}
CONVERSATIONS: dict[str, Any] = {
    "datasets": [
        {
            "session_id": "s1",
            "assistant_id": "my-agent",
            "conversation": [
                {
                    "qa_id": "q1",
                    "query": "What is the capital of France?",
                    "assistant": "The capital of France is Paris.",
                    "ground_truth_assistant": "Paris",
                }
            ],
        }
    ],
}


def message(method: str, params: dict[str, Any] | None = None, *, number: int | str | None = None) -> dict[str, Any]:
    numbered = {} if number is None else {"id": number}
    return {"jsonrpc": "2.0", **numbered, "method": method, **({} if params is None else {"params": params})}


def handshake(version: str = "2024-11-05") -> list[dict[str, Any]]:
    client = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1.0"}}
    return [message("initialize", client, number=1), message("notifications/initialized")]


def tool_call(number: int | str, tool: str = "evaluate_response", **arguments: Any) -> dict[str, Any]:
    return message("tools/call", {"name": tool, "arguments": {**GOOD, **arguments}}, number=number)


def as_lines(messages: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(each) + "\n" for each in messages).encode()


def piped(
    messages: list[dict[str, Any]], *arguments: str, env: Mapping[str, str] | None = None
) -> tuple[int, list[dict[str, Any]], str]:
    """Send all at once, close the pipe, and return the exit code, the answers and what stood on stderr."""
    done = subprocess.run(
        [*COMMAND, *arguments], input=as_lines(messages), capture_output=True, timeout=SECONDS, check=False, env=env
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


def text_of(answer: dict[str, Any]) -> str:
    return str(answer["result"]["content"][0]["text"])


class LineClient:
    """A server process and the pipes to it; ends it when left."""

    def __init__(self, *arguments: str, env: Mapping[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *arguments], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def __enter__(self) -> Self:
        self.send(*handshake())
        self.receive()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            if pipe is self.process.stderr:
                overheard.note("the server's log", pipe.read())
            with suppress(BrokenPipeError):
                pipe.close()

    def send(self, *messages: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(as_lines(list(messages)))
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        overheard.note("an answer", line)
        return json.loads(line)

    def close_stdin(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def rest(self) -> list[dict[str, Any]]:
        """What it said before it left."""
        assert self.process.stdout is not None
        return [json.loads(line) for line in self.process.stdout]

    def hang_up(self) -> None:
        """Be gone, as a client is that was killed."""
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()
