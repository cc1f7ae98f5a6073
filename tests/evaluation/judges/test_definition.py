"""judges.yaml and a user's file over it."""

import pytest

from eval_worker.errors import SettingsError
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


def test_a_judge_that_needs_no_reference_is_digested_as_before_there_were_any_that_do():
    plain = load_judges(BUILT_IN)

    assert all("requires_reference" not in judge.model_dump_json() for judge in plain.judges)
    same = load_judges(BUILT_IN, "judges: [{name: relevance, requires_reference: false}]")
    needy = load_judges(BUILT_IN, "judges: [{name: relevance, requires_reference: true}]")
    assert same.digest == plain.digest != needy.digest
