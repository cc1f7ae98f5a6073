"""So many are judged at once, so many wait, and the next is told to come back."""

import socket

from tests.doors.http_api.serving import EVALUATE, serving
from tests.doors.http_api.test_hang_up import ask
from tests.events import event
from tests.failures.switchable_model import SwitchableModel
from tests.waiting import eventually_sync


def test_who_finds_no_place_is_told_so_with_429_and_those_who_wait_are_judged_in_turn():
    model = SwitchableModel(latency=0.3)
    with serving(model=model, concurrency=2, api_waiting=1) as api:
        inside = [ask(api, f"evt-{number}") for number in range(3)]
        eventually_sync(lambda: api.metric("eval_judging") == 3)
        turned_away = api.post(EVALUATE, event())
        answers = [status_of(connection) for connection in inside]

        assert (turned_away.status, turned_away.headers["retry-after"]) == (429, "1")
        assert turned_away.error == "the server is full: 3 events wait or are being judged"
        assert answers == ["HTTP/1.1 200"] * 3
        assert model.most_in_flight == 2 * 5
        assert api.post(EVALUATE, event()).status == 200


def status_of(connection: socket.socket) -> str:
    with connection:
        return connection.recv(12).decode()
