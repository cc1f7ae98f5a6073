"""The fit of the offline judges' weights, and the weights as they are shipped."""

import json
from importlib import import_module
from pathlib import Path

import pytest
from benchmarks.calibration.fit import fit
from benchmarks.calibration.labelled import Features, LabelledSet, read_sets

from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.calibrated import Calibrated, calibrated

JUDGES = ("relevance", "faithfulness", "coherence", "completeness", "instruction")
SIGNS = {"covered": 1, "repeated": -1}
ROWS: list[Features] = [{"covered": share / 10, "repeated": (share % 3) / 3} for share in range(11)]
LABELLED = LabelledSet("made up", ROWS, [row["covered"] for row in ROWS])


def test_what_people_like_gets_weight_and_orders_the_answers_as_they_did():
    intercept, weights = fit([LABELLED], SIGNS)
    scores = [Calibrated(intercept, weights).score(row) for row in ROWS]
    assert weights["covered"] > 1
    assert scores[0] < 0.4
    assert scores[-1] > 0.6
    assert scores[::3] == sorted(scores[::3])  # alike in what they repeat


def test_a_weight_never_takes_the_sign_that_its_feature_may_not_have():
    upside_down = LabelledSet("upside down", ROWS, [1 - row["covered"] for row in ROWS])
    _, weights = fit([upside_down], SIGNS)
    assert weights["covered"] == 0
    assert weights["repeated"] <= 0


def test_pairs_alone_give_an_order():
    better, worse = {"covered": 0.9, "repeated": 0.0}, {"covered": 0.2, "repeated": 0.0}
    _, weights = fit([LabelledSet("pairs", pairs=[(better, worse)] * 5)], SIGNS)
    assert weights["covered"] > 1


def test_a_fit_is_the_same_each_time():
    assert fit([LABELLED], SIGNS) == fit([LABELLED], SIGNS)


def test_a_large_set_weighs_no_more_than_a_small_one():
    many = LabelledSet("many", ROWS * 20, [row["covered"] for row in ROWS] * 20)
    few = LabelledSet("few", ROWS, [0.5] * len(ROWS))
    assert fit([many, few], SIGNS)[1]["covered"] == pytest.approx(fit([LABELLED, few], SIGNS)[1]["covered"], abs=0.1)


def test_what_only_tells_a_set_of_good_answers_from_one_of_bad_ones_gets_less_weight_than_what_orders_each():
    def rows(base: float) -> list[Features]:
        return [{"covered": base + share / 20, "repeated": 0.0} for share in range(5)]

    alike_within = [LabelledSet("bad", rows(0.0), [0.1] * 5), LabelledSet("good", rows(0.7), [0.9] * 5)]
    ordered_within = [
        LabelledSet("bad", rows(0.0), [0.0, 0.1, 0.2, 0.3, 0.4]),
        LabelledSet("good", rows(0.7), [0.6, 0.7, 0.8, 0.9, 1.0]),
    ]
    assert fit(alike_within, SIGNS)[1]["covered"] < 0.7 * fit(ordered_within, SIGNS)[1]["covered"]


def test_records_are_read_by_label_and_a_pair_with_one_side_is_left_out(tmp_path: Path):
    def record(number: int, **labels: object) -> str:
        exchange = {"user_query": "What is a lease?", "answer": f"A lease is {number} rights."}
        return json.dumps({"interaction": exchange, "human": {}, "group": str(number // 2), **labels})

    (tmp_path / "small.dev.jsonl").write_text(
        "\n".join([
            record(0, human={"relevance": 0.75}),
            record(1, human={"coherence": 1.0}),
            record(2, pair={"id": "p", "preferred": True, "judge": "relevance"}),
            record(3, pair={"id": "p", "preferred": False, "judge": "relevance"}),
            record(4, more_pairs=[{"id": "q", "preferred": True, "judge": "relevance"}]),
        ]),
        encoding="utf-8",
    )  # fmt: skip

    (found,) = read_sets(tmp_path, "relevance", words_of, lambda _group: True)

    assert found.scores == [0.75]
    assert found.pairs == [({"words": 5.0}, {"words": 5.0})]


def words_of(analysis: Analysis) -> dict[str, float]:
    return {"words": float(len(analysis.interaction.answer.split()))}


def test_the_features_are_those_of_the_core_that_is_judged(tmp_path: Path):
    def said(analysis: Analysis) -> Features:
        return {"words": float(len(analysis.answer_words))}

    interaction = {
        "user_query": "What do bees collect?",
        "context": "",
        "answer": "Bees collect nectar. Zebras gallop over savannas.",
    }
    record = {"interaction": interaction, "human": {"relevance": 0.5}, "group": "bees"}
    (tmp_path / "bees.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")

    (found,) = read_sets(tmp_path, "relevance", said, lambda _group: True)

    assert found.rows == [{"words": 3.0}]


@pytest.mark.parametrize("judge", JUDGES)
def test_the_weights_of_a_judge_are_of_its_features_and_within_their_signs(judge: str):
    signs = import_module(f"eval_worker.models.offline.judges.{judge}_features").SIGNS
    weights = calibrated(judge).weights
    assert set(weights) == set(signs)
    assert all(weight * signs[name] >= 0 for name, weight in weights.items())
    assert any(weights.values())


def test_a_feature_that_is_missing_is_an_error_and_no_guess():
    with pytest.raises(KeyError, match="covered"):
        Calibrated(0.0, {"covered": 1.0}).score({})
