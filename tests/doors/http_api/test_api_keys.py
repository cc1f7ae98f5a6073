"""With API_KEYS set, whoever has no key is told so and nothing else."""

import pytest
from pydantic import SecretStr
from tests.doors.http_api.serving import EVALUATE, Served, serving
from tests.events import event
from tests.failures.switchable_model import DENIED, SwitchableModel
from tests.planted_secrets import API_KEY

KEY, OTHER = API_KEY, "a-second-key-with-ümlaut"


@pytest.fixture(scope="module")
def api():
    with serving(api_keys=SecretStr(f"{KEY}, {OTHER}")) as served:
        yield served


@pytest.mark.parametrize("key", [KEY, OTHER], ids=["the first", "the second"])
def test_any_of_the_keys_opens_in_either_header(api: Served, key: str):
    shown = key.encode().decode("latin-1")  # as the bytes of UTF-8 go over the wire
    assert api.post(EVALUATE, event(), Authorization=f"Bearer {shown}").status == 200
    assert api.post(EVALUATE, event(), X_API_Key=shown).status == 200


@pytest.mark.parametrize(
    "header",
    [
        {"Authorization": "Bearer 0123456789abcdeX"},
        {"Authorization": f"Bearer {KEY}{KEY}"},
        {"X_API_Key": KEY[:-1]},
        {"X_API_Key": f"{KEY}, {OTHER}".encode().decode("latin-1")},
    ],
)
def test_a_key_that_is_wrong_is_refused_with_401(api: Served, header: dict[str, str]):
    reply = api.post(EVALUATE, event(), **header)

    assert (reply.status, reply.headers["www-authenticate"]) == (401, "Bearer")
    assert reply.error == "the API key is none of those accepted here"


@pytest.mark.parametrize("header", [{}, {"Authorization": f"Basic {KEY}"}, {"Authorization": "Bearer "}])
def test_no_key_is_refused_with_401_that_says_how_to_send_one(api: Served, header: dict[str, str]):
    reply = api.post(EVALUATE, event(), **header)

    assert reply.status == 401
    assert reply.error == "no API key: send one as Authorization: Bearer … or X-API-Key: …"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", EVALUATE),
        ("POST", f"{EVALUATE}/judge/relevance?threshold=7"),
        ("GET", "/api/v1/judges"),
        ("POST", "/api/v1/events"),
        ("GET", "/api/v1/results?limit=x"),
        ("GET", "/metrics"),
    ],
)
def test_without_a_key_nothing_else_is_said_of_a_request(api: Served, method: str, path: str):
    assert api.call(method, path, b"{" if method == "POST" else None, {}).status == 401


@pytest.mark.parametrize("path", ["/api/v1/health", "/api/v1/ready", "/docs", "/redoc", "/openapi.json"])
def test_probes_and_documentation_need_no_key(api: Served, path: str):
    assert api.get(path).status == 200


def test_the_openapi_document_says_that_a_key_is_needed(api: Served):
    document = api.get("/openapi.json").document

    assert document["paths"][EVALUATE]["post"]["security"] == [{"bearer": []}, {"header": []}]
    assert "security" not in document["paths"]["/api/v1/health"]["get"]


def test_without_a_key_a_probe_is_told_the_kind_of_a_failure_and_not_the_providers_words():
    with serving(model=SwitchableModel(DENIED), api_keys=SecretStr(KEY)) as api:
        told = api.post(EVALUATE, event(), X_API_Key=KEY).error
        ready = api.get("/api/v1/ready")

    assert "enable it in the console" in told
    assert (ready.status, ready.error) == (503, "paused: access_denied")
