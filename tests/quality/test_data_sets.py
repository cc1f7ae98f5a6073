"""Labelled records as they are read: what is wrong with one stops the measurement, and is named."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.quality.labelled_files import chosen, labelled, rated
from tests.validation.annotated_files import write_lines

from eval_worker.errors import SettingsError
from eval_worker.quality.data_sets import DataSet, read_data_sets

PAIR = {"id": "a", "preferred": True, "judge": "instruction"}


def read(*paths: Path) -> tuple[DataSet, ...]:
    return read_data_sets(paths, max_bytes=100_000)


def test_a_folder_is_read_file_by_file_and_named_after_them(tmp_path: Path):
    write_lines(tmp_path / "b.dev.jsonl", rated(4))
    write_lines(tmp_path / "a.jsonl", chosen(2))
    write_lines(tmp_path / "nothing_labelled.jsonl", [labelled("x")])
    (tmp_path / "README.md").write_text("no data")

    first, second = read(tmp_path)

    assert (first.name, second.name) == ("a", "b.dev")
    assert [len(each) for each in first.pairs.values()] == [2]
    assert first.records[first.pairs["faithfulness"][0].preferred].event_id == "p-0-1"
    assert second.judges == ("faithfulness",)
    assert [record.group for record in second.records] == ["item-0", "item-0", "item-1", "item-1"]


def test_records_without_a_label_and_pairs_with_one_side_are_counted_not_used(tmp_path: Path):
    one_sided = labelled("s", pair={"id": 7, "preferred": True, "judge": "instruction"})
    (found,) = read(
        write_lines(
            tmp_path / "a.jsonl",
            [
                *chosen(1),
                labelled("x"),
                labelled("y", human={}),
                labelled("z", human=None, pair=None, more_pairs=None),
                one_sided,
            ],
        )
    )

    assert (found.unlabelled, found.one_sided_pairs, len(found.records)) == (3, 1, 3)
    assert list(found.pairs) == ["faithfulness"]


def test_an_answer_may_stand_in_several_pairs(tmp_path: Path):
    sides = [
        labelled(f"s{side}", pair=PAIR | {"preferred": bool(side)}, more_pairs=[
            {"id": "a", "preferred": not side, "judge": "overall"}
        ])
        for side in (0, 1)
    ]  # fmt: skip

    (found,) = read(write_lines(tmp_path / "a.jsonl", sides))

    assert [(judge, pair.preferred) for judge, (pair,) in found.pairs.items()] == [("instruction", 1), ("overall", 0)]
    assert [record.is_good for record in found.records] == [False, True]  # by the first pair


def test_without_a_group_every_record_is_an_item_and_a_pair_is_one(tmp_path: Path):
    records = [labelled("r", human={"relevance": 1}), labelled("s", pair=PAIR)]

    (found,) = read(write_lines(tmp_path / "a.jsonl", records))

    assert [record.group for record in found.records] == ["r", "a"]


@pytest.mark.parametrize(
    ("second", "says"),
    [
        ({"human": {"relevance": 1.2}}, "line 2: human.relevance: must be at most 1"),
        ({"human": {"relevance": -0.1}}, "line 2: human.relevance: must be at least 0"),
        ({"human": {"relevance": "high"}}, "line 2: human.relevance: must be a number"),
        ({"human": {"relevance": True}}, "line 2: human.relevance: must be a number, not a boolean"),
        ({"human": [1]}, "line 2: human: must be a JSON object, not a list"),
        ({"pair": {"id": "a", "judge": "instruction"}}, "line 2: pair.preferred: is required"),
        ({"pair": PAIR | {"preferred": "yes"}}, "line 2: pair.preferred: must be true or false"),
        ({"pair": PAIR}, "line 2: pair.id: 'a' has its preferred side in line 1 already"),
        ({"human": {"relevance": 1}, "event_id": "one"}, "line 2: event_id: 'one' stands in line 1 already"),
        ({"human": {"relevance": 1}, "interaction": {"user_query": "q"}}, "line 2: interaction.answer: is required"),
    ],
)
def test_a_wrong_record_is_named_by_file_line_and_field(tmp_path: Path, second: dict[str, Any], says: str):
    file = write_lines(tmp_path / "a.jsonl", [labelled("one", pair=PAIR), labelled("two") | second])

    with pytest.raises(SettingsError) as refused:
        read(file)

    assert str(refused.value).startswith(f"{file}, {says}")
    assert "\n" not in str(refused.value)


def test_a_line_that_is_no_json_is_named(tmp_path: Path):
    file = write_lines(tmp_path / "a.jsonl", [json.dumps(labelled("x", human={"relevance": 1})), "{"])

    with pytest.raises(SettingsError, match=r"a.jsonl, line 2: the record: is not JSON"):
        read(file)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nowhere", "nowhere: there is no such file or folder"),
        ("empty", "empty: there is no file in it that ends in .jsonl"),
        ("table.csv", "table.csv: labelled records are JSON lines"),
        ("bare.jsonl", "bare.jsonl: no record is labelled: it needs `human`"),
    ],
)
def test_what_holds_no_labelled_records_is_refused(tmp_path: Path, name: str, says: str):
    (tmp_path / "empty").mkdir()
    (tmp_path / "table.csv").write_text("event_id\n1\n")
    write_lines(tmp_path / "bare.jsonl", [labelled("x")])

    with pytest.raises(SettingsError, match=says):
        read(tmp_path / name)


def test_two_files_of_one_name_are_refused(tmp_path: Path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        write_lines(tmp_path / folder / "a.jsonl", rated(2))

    with pytest.raises(SettingsError, match="have one name"):
        read(tmp_path / "one", tmp_path / "two")
