"""What a batch was begun with is what it goes on with, also over a new version of ours."""

from eval_worker.doors.batch.fingerprint import Fingerprint

NOW = Fingerprint(
    input_sha256="x",
    order="o",
    model="m",
    judges_digest="d",
    settings={"JUDGE_CALLS": "separate", "JUDGE_OUTPUT": "tool"},
)
BEFORE = NOW.model_copy(update={"settings": {"JUDGE_OUTPUT": "tool"}})


def test_a_batch_begun_before_there_was_a_setting_goes_on_with_what_was_then_the_only_way():
    assert BEFORE.difference(NOW) is None


def test_the_order_of_asking_is_one_of_them():
    in_waves = NOW.model_copy(update={"settings": {**NOW.settings, "JUDGE_WAVES": "relevance"}})
    at_once = NOW.model_copy(update={"settings": {**NOW.settings, "JUDGE_WAVES": ""}})

    assert BEFORE.difference(at_once) is None
    assert BEFORE.difference(in_waves) == "it was begun with JUDGE_WAVES=, not relevance"


def test_it_does_not_go_on_with_another_one():
    combined = NOW.model_copy(update={"settings": {**NOW.settings, "JUDGE_CALLS": "combined"}})

    assert BEFORE.difference(combined) == "it was begun with JUDGE_CALLS=separate, not combined"
