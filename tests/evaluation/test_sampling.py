"""A share of the events is judged, told by their ids alone."""

import hashlib
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_worker.evaluation.sampling import ALL_EVENTS, SampleRates, parse_sample_rates

IDS = [f"evt-{number}" for number in range(100_000)]


def included(rates: SampleRates, ids: Sequence[str] = IDS) -> set[str]:
    return {event_id for event_id in ids if rates.includes(event_id, None, None)}


@pytest.mark.parametrize("rate", [0.01, 0.1, 0.5, 0.9])
def test_the_share_of_many_events_is_the_rate(rate: float):
    deviation = (rate * (1 - rate) / len(IDS)) ** 0.5

    assert len(included(SampleRates(others=rate))) / len(IDS) == pytest.approx(rate, abs=4 * deviation)


@given(st.text(), st.floats(0, 1), st.floats(0, 1))
def test_a_higher_rate_judges_what_a_lower_one_does(event_id: str, one: float, other: float):
    lower, higher = sorted((one, other))

    if SampleRates(others=lower).includes(event_id, None, None):
        assert SampleRates(others=higher).includes(event_id, None, None)


@given(st.text())
def test_a_rate_of_0_judges_none_and_1_all(event_id: str):
    assert not SampleRates(others=0.0).includes(event_id, None, None)
    assert SampleRates(others=1.0).includes(event_id, None, None)


def test_an_id_has_the_same_place_in_every_process_and_release():
    place = int(hashlib.sha256(b"evt-001").hexdigest()[:16], 16) / 2**64

    assert place == pytest.approx(0.6198978, abs=1e-6)
    assert not SampleRates(others=place - 1e-9).includes("evt-001", None, None)
    assert SampleRates(others=place + 1e-9).includes("evt-001", None, None)


def test_half_a_character_has_a_place_too():
    SampleRates(others=0.5).includes("\ud800", None, None)


def test_the_name_goes_before_the_type_and_the_type_before_the_rest():
    rates = parse_sample_rates("*=0.5, type:rag=0.25, support-bot=0.1")

    assert rates.rate_of("support-bot", "rag") == 0.1
    assert rates.rate_of("another", "rag") == 0.25
    assert rates.rate_of("rag", "chat") == 0.5
    assert rates.rate_of(None, None) == 0.5


def test_what_is_not_named_is_judged():
    assert parse_sample_rates("support-bot=0").rate_of("another", None) == 1.0


@pytest.mark.parametrize("text", ["", " ", ","])
def test_without_rates_everything_is_judged(text: str):
    assert parse_sample_rates(text) == ALL_EVENTS


def test_a_name_may_hold_an_equals_sign_and_blanks():
    assert parse_sample_rates(" my = bot = 0.5 , type: r a g =1").by_name == {"my = bot": 0.5}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("bot", "'bot' must be an agent's name"),
        ("a=0.1,=0.5", "'=0.5' must be an agent's name"),
        ("type:=0.5", "'type:=0.5' must be an agent's name"),
        ("bot=", "'bot=' must have a rate from 0 to 1"),
        ("bot=10%", "'bot=10%' must have a rate from 0 to 1"),
        ("bot=1.5", "'bot=1.5' must have a rate from 0 to 1"),
        ("bot=-0.1", "'bot=-0.1' must have a rate from 0 to 1"),
        ("bot=nan", "'bot=nan' must have a rate from 0 to 1"),
        ("bot=0.1,*=1,bot=0.2", "'bot' has two rates"),
        ("type:rag=0.1,type: rag=0.1", "'type:rag' has two rates"),
    ],
)
def test_a_wrong_piece_is_named(text: str, problem: str):
    with pytest.raises(ValueError, match=problem.replace("*", r"\*")):
        parse_sample_rates(text)
