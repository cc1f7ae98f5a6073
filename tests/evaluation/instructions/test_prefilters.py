"""Patterns that are not searched for where none of their words stands: no match may get lost by that."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from eval_worker.evaluation import instructions
from eval_worker.evaluation.text.prefiltered import Prefiltered

# I without or with a dot, the long S and the Kelvin sign match i, s and k; nobody asks for anything with them.
UNUSUAL = "\u0131\u0130\u017f\u212a"
ALPHABET = st.characters(codec="utf-8", exclude_characters=UNUSUAL)


def _all() -> Iterator[tuple[str, Prefiltered]]:
    for found in pkgutil.iter_modules(instructions.__path__, f"{instructions.__name__}."):
        module = found.name.rpartition(".")[2]
        for name, value in vars(importlib.import_module(found.name)).items():
            yield from ((f"{module}.{name}.{place}", one) for place, one in enumerate(_within(value)))


def _within(value: object) -> Iterator[Prefiltered]:
    if isinstance(value, Prefiltered):
        yield value
    elif isinstance(value, (Mapping, tuple)):
        inner = cast("Mapping[Any, object] | tuple[object, ...]", value)
        for one in inner.values() if isinstance(inner, Mapping) else inner:
            yield from _within(one)


ALL = dict(_all())


def test_the_patterns_of_instructions_are_found():
    assert len({id(one) for one in ALL.values()}) > 20


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(data=st.data())
def test_whatever_a_pattern_matches_has_one_of_its_words(name: str, data: st.DataObject):
    one = ALL[name]
    text = data.draw(st.from_regex(one.pattern, alphabet=ALPHABET))

    assert one.may_match(text)


def test_a_text_that_has_the_words_is_searched():
    pattern = Prefiltered(r"\bin json\b", words=("json",))

    assert pattern.search("Answer in JSON.")
    assert pattern.search("JSON is a format.") is None


def test_no_notice_is_taken_of_case():
    assert Prefiltered(r"\bin großbuchstaben\b", words=("großbuchstaben",)).search("Antworte IN GROẞBUCHSTABEN.")
