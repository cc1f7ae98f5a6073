"""One event in, its verdict out, or the reason why there is none."""

import json
from typing import Any

import pytest
from tests.doors.http_api.serving import EVALUATE, Served, serving
from tests.events import event, rubbish
from tests.failures.switchable_model import DENIED, THROTTLED, SwitchableModel

from eval_worker.evaluation.judges.model import FailureKind, ModelFailure
from eval_worker.result import Result

TIMED_OUT = ModelFailure(FailureKind.TRANSIENT, "timeout", "no answer within 15 s")
REFUSED = ModelFailure(FailureKind.PERMANENT, "too_long", "the input is too long for the model")
SECRET_KEY = "AKIAQWERTYUIOPASDFGH"
RELEVANCE = f"{EVALUATE}/judge/relevance"


@pytest.fixture(scope="module")
def api():
    with serving() as served:
        yield served


@pytest.fixture
def failing():
    """A server whose model fails as told, and is not asked twice."""
    model = SwitchableModel()
    with serving(model=model, judge_timeout_seconds=0.2) as served:
        yield served, model


def test_a_good_answer_has_the_documented_result(api: Served):
    reply = api.post(EVALUATE, event("evt-001"))

    assert reply.status == 200
    assert reply.headers["content-type"] == "application/json"
    assert list(reply.document)[:4] == ["id", "stages", "confidence", "verdict"]
    assert list(reply.document["stages"][0])[:4] == ["name", "score", "reason", "duration_ns"]
    assert (reply.document["id"], reply.document["verdict"]) == ("evt-001", "pass")
    assert Result.model_validate_json(reply.text).model == "offline"


def test_rubbish_fails_by_early_exit_without_judges(api: Served):
    result = api.post(EVALUATE, rubbish()).document

    assert (result["verdict"], result["early_exit"]) == ("fail", True)
    assert [stage["name"] for stage in result["stages"]] == ["length-checker", "overlap-checker", "format-checker"]


def test_one_judge_alone_gives_one_stage_and_obeys_the_threshold(api: Served):
    kind = api.post(f"{RELEVANCE}?threshold=0.5", event()).document
    strict = api.post(f"{RELEVANCE}?threshold=1", event()).document

    assert [stage["name"] for stage in kind["stages"]] == ["relevance-judge"]
    assert kind["confidence"] == kind["stages"][0]["score"]
    assert (kind["verdict"], strict["verdict"]) == ("pass", "fail")


def without(*path: str) -> dict[str, Any]:
    document = event()
    inner = document
    for name in path[:-1]:
        inner = inner[name]
    del inner[path[-1]]
    return document


@pytest.mark.parametrize(
    ("body", "field", "problem"),
    [
        (b"", "payload", "is not JSON"),
        (b"{", "payload", "is not JSON"),
        (b'{"event_id": "\xff"}', "payload", "is not UTF-8 (byte 14)"),
        (b"[" * 100_000, "payload", "is nested too deeply"),
        (b"[]", "payload", "must be a JSON object, not a list"),
        (b"null", "payload", "must be a JSON object, not null"),
        (without("event_id"), "event_id", "is required"),
        (without("interaction"), "interaction", "is required"),
        (without("interaction", "answer"), "interaction.answer", "is required"),
        (event(answer=None), "interaction.answer", "must be text, not null"),
        (event(answer=7), "interaction.answer", "must be text, not a number"),
        (event(query="  "), "interaction.user_query", "must not be empty"),
        ({**event(), "event_type": "other"}, "event_type", "must be 'agent_response' or 'agent_error'"),
    ],
)
def test_a_wrong_event_is_a_400_that_names_the_field(api: Served, body: Any, field: str, problem: str):
    reply = api.post(EVALUATE, body)

    assert reply.status == 400
    assert reply.error.startswith(f"{field}: {problem}")


@pytest.mark.parametrize("content_type", [None, "application/x-www-form-urlencoded", "text/plain", "application/json"])
def test_the_content_type_does_not_matter_as_curl_sends_its_own(api: Served, content_type: str | None):
    headers = {"Content_Type": content_type} if content_type else {}
    assert api.post(EVALUATE, event(), **headers).status == 200


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("threshold=1.1", "threshold: must be at most 1"),
        ("threshold=-0.1", "threshold: must be at least 0"),
        ("threshold=nan", "threshold: must be a finite number"),
        ("threshold=high", "threshold: must be a number"),
        ("threshold=", "threshold: must be a number"),
        ("treshold=0.5", "treshold: is no parameter that is known here"),
    ],
)
def test_a_wrong_threshold_is_a_400_that_names_it(api: Served, query: str, problem: str):
    reply = api.post(f"{RELEVANCE}?{query}", event())

    assert (reply.status, reply.error) == (400, problem)


@pytest.mark.parametrize("path", [EVALUATE, "/api/v1/events"])
def test_a_parameter_where_none_is_taken_is_refused_rather_than_ignored(api: Served, path: str):
    reply = api.post(f"{path}?threshold=0.9", event())

    assert (reply.status, reply.error) == (400, "threshold: is no parameter that is known here")


def test_an_unknown_judge_is_a_404_that_lists_those_there_are(api: Served):
    reply = api.post(f"{EVALUATE}/judge/charm", event())

    assert reply.status == 404
    assert reply.error == (
        "judge_name: there is no judge 'charm'; enabled are relevance, faithfulness, coherence, completeness, "
        "instruction"
    )


def test_a_judge_that_needs_a_context_and_got_none_is_a_400(api: Served):
    reply = api.post(f"{EVALUATE}/judge/faithfulness", event(context=""))

    assert (reply.status, reply.error) == (
        400,
        "interaction.context: this judge can't be asked: no context given",
    )


@pytest.mark.parametrize("path", [EVALUATE, RELEVANCE])
@pytest.mark.parametrize(
    ("failure", "status", "words"),
    [
        (REFUSED, 422, "no judge could score this event: the input is too long for the model"),
        (THROTTLED, 503, "the judge model can't be used now: throttled: too many requests"),
        (DENIED, 503, "the judge model can't be used now: access_denied: no access"),
        (TIMED_OUT, 504, "the judge model gave no answer in time: no answer within 15 s"),
    ],
)
def test_no_verdict_is_made_up_and_the_status_says_whose_failure_it_is(
    failing: tuple[Served, SwitchableModel], path: str, failure: ModelFailure, status: int, words: str
):
    api, model = failing
    model.failure = failure

    reply = api.post(path, event())

    assert reply.status == status
    assert reply.error.startswith(words)
    assert ("retry-after" in reply.headers) == (status != 422)


def test_while_the_model_is_paused_all_but_rubbish_is_told_so_at_once(failing: tuple[Served, SwitchableModel]):
    api, model = failing
    model.failure = DENIED
    api.post(EVALUATE, event())
    asked = model.calls

    turned_away, exit_early, ready = (
        api.post(EVALUATE, event()),
        api.post(EVALUATE, rubbish()),
        api.get("/api/v1/ready"),
    )

    assert (turned_away.status, exit_early.status, ready.status) == (503, 200, 503)
    assert ready.error.startswith("paused: access_denied: no access to the model")
    assert int(turned_away.headers["retry-after"]) >= 1
    assert model.calls == asked
    assert api.metric("eval_paused") == 1


def test_what_a_provider_says_is_shown_without_its_secrets(failing: tuple[Served, SwitchableModel]):
    api, model = failing
    model.failure = ModelFailure(FailureKind.OUTAGE, "access_denied", f"the key {SECRET_KEY} is not known")

    said = [api.post(EVALUATE, event()).error, api.get("/api/v1/ready").error]

    assert SECRET_KEY not in "".join(said)
    assert all("access_denied: the key […] is not known" in error for error in said)


def test_a_bug_is_a_500_without_a_word_of_its_cause(
    failing: tuple[Served, SwitchableModel], capfd: pytest.CaptureFixture[str]
):
    api, model = failing
    model.poisoned["Paris"] = RuntimeError("a detail of ours")

    reply = api.post(EVALUATE, event())

    assert (reply.status, reply.error) == (500, "internal error: the server's log says more")
    assert api.get("/api/v1/health").status == 200


def test_what_is_unknown_in_an_event_is_ignored(api: Served):
    assert api.post(EVALUATE, json.dumps({**event(), "trace": {"id": 1}}).encode()).status == 200


@pytest.mark.parametrize(
    ("judge", "interaction", "verdict"),
    [
        (
            "relevance",
            {
                "query": "What is the capital of France?",
                "context": "France is a country in Western Europe. Paris is its capital.",
                "answer": "The capital of France is Paris.",
            },
            "pass",
        ),
        (
            "faithfulness?threshold=0.9",
            {
                "query": "What encryption does the product support?",
                "context": "Our product supports AES-256 encryption for data at rest.",
                "answer": "The product supports AES-256 encryption and also offers quantum-resistant algorithms.",
            },
            "fail",
        ),
        (
            "coherence",
            {
                "query": "How does encryption work?",
                "context": "Encryption uses mathematical algorithms to scramble data.",
                "answer": "Encryption scrambles data. But also, pizza is delicious. The algorithm ensures security.",
            },
            "fail",
        ),
        (
            "completeness",
            {
                "query": "Explain both encryption and decryption, and provide examples",
                "context": "Encryption converts plaintext to ciphertext. Decryption reverses this. Example: AES-256.",
                "answer": "Encryption converts plaintext to ciphertext using algorithms like AES-256.",
            },
            "fail",
        ),
        (
            "instruction",
            {
                "query": "List exactly 3 encryption algorithms",
                "context": "Common algorithms: AES, RSA, ChaCha20, Blowfish, Twofish",
                "answer": "1. AES\n2. RSA",
            },
            "fail",
        ),
        (
            "instruction",
            {
                "query": "Give me 3 examples of encryption algorithms",
                "context": "Common algorithms: AES, RSA, ChaCha20, Blowfish",
                "answer": "Examples of encryption algorithms are AES, RSA, ChaCha20, and Blowfish.",
            },
            "pass",
        ),
    ],
)
def test_the_documented_examples_have_the_documented_verdicts_offline(
    api: Served, judge: str, interaction: dict[str, str], verdict: str
):
    result = api.post(f"{EVALUATE}/judge/{judge}", event(**interaction)).document

    assert result["verdict"] == verdict
    assert 0 <= result["confidence"] <= 1
