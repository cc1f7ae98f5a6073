"""Without keys: what a website could make a browser send is refused, and everybody else is served."""

import pytest
from pydantic import SecretStr
from tests.doors.http_api.serving import EVALUATE, Served, serving
from tests.events import event
from tests.planted_secrets import API_KEY


@pytest.fixture(scope="module")
def api():
    with serving() as served:
        yield served


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
@pytest.mark.parametrize("path", [EVALUATE, "/api/v1/events", "/run"])
def test_a_page_of_another_site_can_neither_judge_nor_send(api: Served, path: str, origin: str):
    """As text/plain a browser would send it without asking first."""
    reply = api.post(path, event(), Origin=origin, Content_Type="text/plain")

    assert reply.status == 403
    assert "set API_KEYS" in reply.text


@pytest.mark.parametrize("path", ["/api/v1/results", "/api/v1/judges", "/metrics"])
def test_a_name_that_strangers_may_own_leads_to_nothing(api: Served, path: str):
    assert api.get(path, Host="evil.example").status == 403


def test_scripts_and_pages_of_our_own_are_served(api: Served):
    assert api.post(EVALUATE, event()).status == 200
    assert api.post(EVALUATE, event(), Host="localhost:18081", Origin="http://localhost:18081").status == 200


def test_with_keys_whoever_shows_one_is_served_from_anywhere():
    with serving(api_keys=SecretStr(API_KEY)) as api:
        shown = {"Host": "eval.example.com", "Origin": "https://app.example.com"}
        assert api.post(EVALUATE, event(), X_API_Key=API_KEY, **shown).status == 200
        assert api.post(EVALUATE, event(), **shown).status == 401


def test_a_server_that_listens_to_all_is_called_by_any_name_but_not_by_other_sites():
    with serving(api_host="0.0.0.0") as api:
        assert api.post(EVALUATE, event(), Host="eval-api.agents.svc.cluster.local").status == 200
        assert api.post(EVALUATE, event(), Origin="http://evil.example").status == 403
