"""judges.yaml and a user's file over it."""

import pytest

from eval_worker.errors import SettingsError
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import BUILT_IN_JUDGES, load_judges
from eval_worker.settings import load_settings
from eval_worker.wiring.judging import read_judges

LEVELS = "{0: a, 1: b, 2: c, 3: d, 4: e, 5: f}"
BUILT_IN = f"""
judges:
  - {{name: relevance, question: 'Relevant?', levels: {LEVELS}}}
  - {{name: coherence, question: 'Coherent?', levels: {LEVELS}}}
"""


def test_the_built_in_judges_are_the_five_in_stage_order_and_only_faithfulness_needs_context():
    judges = read_judges(load_settings())

    assert judges.names == BUILT_IN_JUDGES == ("relevance", "faithfulness", "coherence", "completeness", "instruction")
    assert [judge.name for judge in judges.judges if judge.requires_context] == ["faithfulness"]
    assert judges.judges[0].stage_name == "relevance-judge"


def test_a_users_file_rewords_disables_and_adds_in_file_order():
    own = f"""
judges:
  - {{name: politeness, question: 'Polite?', levels: {LEVELS}}}
  - {{name: coherence, enabled: false}}
  - {{name: relevance, question: 'Helpful to a beginner?'}}
  - {{name: brevity, question: 'Brief?', levels: {LEVELS}, model: {{temperature: 0.5, max_tokens: 200}}}}
"""
    judges = load_judges(BUILT_IN, own)

    assert judges.names == ("relevance", "politeness", "brevity")
    assert judges.judges[0].question == "Helpful to a beginner?"
    assert judges.judges[0].levels[5] == "f"
    assert judges.judges[2].model.temperature == 0.5
    assert [judge.name for judge in judges.disabled] == ["coherence"]


def test_the_digest_changes_with_any_wording_and_with_nothing_else():
    same = load_judges(BUILT_IN).digest

    assert same == load_judges(BUILT_IN + "\n# a comment\n").digest
    assert same.startswith("sha256:")
    assert same != load_judges(BUILT_IN, "judges: [{name: relevance, question: 'Other?'}]").digest
    assert same != load_judges(BUILT_IN, "judges: [{name: coherence, enabled: false}]").digest


@pytest.mark.parametrize(
    ("own", "complaint"),
    [
        ("judges: [", "own.yaml is not YAML"),
        ("just text", "own.yaml must have a list under `judges:`"),
        ("judges: {relevance: {}}", "own.yaml must have a list under `judges:`"),
        ("judges: [{question: 'Who?'}]", "own.yaml: judge 1 has no name"),
        ("judges: [{name: tone, question: 'Nice?'}]", "own.yaml: judge 'tone': levels: is required"),
        (
            "judges: [{name: tone, question: 'Nice?', levels: {0: a, 5: b}}]",
            "judge 'tone': its definition: levels must describe",
        ),
        ("judges: [{name: tone, qestion: Nice, levels: {}}]", "judge 'tone': question: is required"),
        ("judges: [{name: relevance}, {name: relevance}]", "own.yaml: judge 'relevance' is there twice"),
        ("judges: [{name: tone, question: q, levels: 5}]", "levels: must be a mapping"),
        ("judges: [{name: Bad Name, question: q, levels: {}}]", "judge 'Bad Name': name"),
        ("judges: [{name: relevance, model: {temperature: 7}}]", "judge 'relevance': model.temperature"),
        (
            "judges: [{name: relevance, example: {query: q, answer: a, rationale: r, level: 6}}]",
            "judge 'relevance': example.level: must be at most 5",
        ),
        (
            "judges: [{name: relevance, example: {query: q, answer: a, rationale: r, level: 2.5}}]",
            "judge 'relevance': example.level: must be a whole number",
        ),
        (
            "judges: [{name: relevance, example: {query: q, answer: a, rationale: r, level: true}}]",
            "judge 'relevance': example.level: must be a whole number, not a boolean",
        ),
        (
            "judges: [{name: relevance, example: {query: q, answer: a, level: 3}}]",
            "judge 'relevance': example.rationale: is required",
        ),
        (
            "judges: [{name: relevance, example: {query: '', answer: a, rationale: r, level: 3}}]",
            "judge 'relevance': example.query: must not be empty",
        ),
        (
            "judges: [{name: relevance, example: {query: q, answer: 4, rationale: r, level: 3}}]",
            "judge 'relevance': example.answer: must be text, not a number",
        ),
        (
            "judges: [{name: relevance, example: {user_query: q, query: q, answer: a, rationale: r, level: 3}}]",
            "judge 'relevance': example.user_query: is no key that is known here",
        ),
        ("judges: [{name: relevance, example: Paris}]", "judge 'relevance': example: must be a mapping, not text"),
        (
            "judges: [{name: relevance, enabled: false}, {name: coherence, enabled: false}]",
            "leaves no judge enabled",
        ),
    ],
)
def test_a_wrong_file_stops_the_start_and_names_the_judge_and_the_key(own: str, complaint: str):
    with pytest.raises(SettingsError) as stop:
        load_judges(BUILT_IN, own, source="own.yaml")

    assert complaint in str(stop.value)
    assert str(stop.value).startswith("JUDGES_FILE: ")
    assert "\n" not in str(stop.value)


EXAMPLE = "{query: q, answer: a, rationale: r, level: 3}"


@pytest.mark.parametrize(
    ("unused", "used"),
    [("requires_reference: false", "requires_reference: true"), ("example: null", f"example: {EXAMPLE}")],
)
def test_a_judge_that_uses_none_of_the_later_keys_is_digested_as_before_there_were_any(unused: str, used: str):
    plain = load_judges(BUILT_IN)

    assert all(unused.split(":", maxsplit=1)[0] not in judge.model_dump_json() for judge in plain.judges)
    same = load_judges(BUILT_IN, f"judges: [{{name: relevance, {unused}}}]")
    other = load_judges(BUILT_IN, f"judges: [{{name: relevance, {used}}}]")
    assert same.digest == plain.digest != other.digest


def test_a_users_example_takes_the_place_of_the_built_in_one_and_null_drops_it():
    shown = BUILT_IN.replace("question: 'Relevant?'", f"question: 'Relevant?', example: {EXAMPLE}")

    (kept, *_), (replaced, *_), (dropped, *_) = (
        load_judges(shown, own).judges
        for own in (
            "judges: [{name: relevance, question: 'Other?'}]",
            f"judges: [{{name: relevance, example: {EXAMPLE.replace('q,', 'other, context: c, reference: r,')}}}]",
            "judges: [{name: relevance, example: null}]",
        )
    )

    assert kept.example is not None
    assert kept.example.interaction == Interaction("q", "a")
    assert replaced.example is not None
    assert replaced.example.interaction == Interaction("other", "a", "c", "r")
    assert dropped.example is None
