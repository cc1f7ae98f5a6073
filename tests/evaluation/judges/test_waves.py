"""The order in which judges are asked, as it is written and as it is kept."""

import pytest
from tests.evaluation.judges.test_judge import definition

from eval_worker.evaluation.judges.waves import ALL_AT_ONCE, Waves, in_waves, parse_waves

NAMES = ("relevance", "faithfulness", "coherence", "completeness", "instruction")
JUDGES = [definition().model_copy(update={"name": name}) for name in NAMES]


def arranged(waves: Waves) -> list[list[str]]:
    return [[judge.name for judge in wave] for wave in in_waves(JUDGES, waves)]


@pytest.mark.parametrize(
    ("text", "waves"),
    [
        ("", ALL_AT_ONCE),
        ("  ", ALL_AT_ONCE),
        ("relevance", (("relevance",),)),
        (" relevance, completeness ;coherence", (("relevance", "completeness"), ("coherence",))),
    ],
)
def test_semicolons_stand_between_waves_and_commas_between_judges(text: str, waves: Waves):
    assert parse_waves(text) == waves


@pytest.mark.parametrize("text", [";", "relevance;", "relevance;;coherence", ",", "relevance; ,"])
def test_a_wave_without_a_judge_is_refused(text: str):
    with pytest.raises(ValueError, match="has a wave without a judge"):
        parse_waves(text)


@pytest.mark.parametrize("text", ["relevance,relevance", "relevance;coherence;relevance"])
def test_a_judge_is_in_one_wave(text: str):
    with pytest.raises(ValueError, match="'relevance' is there twice"):
        parse_waves(text)


def test_those_that_are_not_named_come_last_together():
    waves = (("coherence",), ("instruction", "relevance"))

    assert arranged(waves) == [["coherence"], ["relevance", "instruction"], ["faithfulness", "completeness"]]


def test_a_wave_of_which_none_is_there_is_left_out():
    assert arranged((("honesty",), ("relevance",))) == [["relevance"], list(NAMES[1:])]


def test_without_waves_all_are_asked_at_once():
    assert arranged(ALL_AT_ONCE) == [list(NAMES)]
