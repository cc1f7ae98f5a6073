"""A client that lost the reply sends its request again: what was paid for is not paid for again."""

import pytest
from tests.doors.http_api.serving import serving
from tests.events import event
from tests.failures.switchable_model import SwitchableModel


@pytest.mark.parametrize(("kept_seconds", "calls"), [(60, 5), (0, 10)])
def test_a_request_that_comes_again_makes_no_call_while_its_judgements_are_kept(kept_seconds: int, calls: int):
    model = SwitchableModel()
    with serving(model=model, judge_model="bedrock", judgement_cache_seconds=kept_seconds) as api:
        first, second = (api.post("/api/v1/evaluate", event()).document for _ in range(2))

    assert model.calls == calls
    assert first["verdict"] == second["verdict"] == "pass"
    cached = [stage.get("cached", False) for stage in second["stages"] if stage["name"].endswith("-judge")]
    assert cached == [calls == 5] * 5
