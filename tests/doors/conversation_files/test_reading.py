"""A file of conversations is read as a whole or refused with the place of what is wrong."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tests.commands.conversation_documents import dataset, interaction, write

from eval_worker.doors.conversation_files.reading import ConversationFile, location, read_conversation_file
from eval_worker.errors import SettingsError


def read(tmp_path: Path, document: Any, name: str = "d.json") -> ConversationFile:
    return read_conversation_file(write(tmp_path / name, document))


def refusal(tmp_path: Path, document: Any) -> str:
    with pytest.raises(SettingsError) as refused:
        read(tmp_path, document)
    return str(refused.value).removeprefix(f"{tmp_path / 'd.json'}: ")


def without(document: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key != name}


def sessions(file: ConversationFile) -> list[str]:
    return [each.session_id for each in file.datasets]


def test_one_dataset_alone_is_a_file_of_one(tmp_path: Path):
    assert sessions(read(tmp_path, dataset("one"))) == ["one"]


def test_one_dataset_written_over_many_lines_is_no_json_lines(tmp_path: Path):
    assert sessions(read(tmp_path, json.dumps(dataset("one"), indent=2), "d.jsonl")) == ["one"]


def test_a_request_without_config_has_the_defaults_and_null_means_none(tmp_path: Path):
    plain = read(tmp_path, {"datasets": [dataset("one")], "config": None})

    assert (plain.config.k, plain.config.tool_threshold, plain.has_connector) == (3, 0.75, False)


def test_a_misspelt_key_of_the_config_is_named(tmp_path: Path):
    document = {"datasets": [dataset("one")], "config": {"treshold": 0.9}}
    assert refusal(tmp_path, document) == "config.treshold: is no key that is known here"


def test_a_byte_order_mark_and_gzip_are_read(tmp_path: Path):
    path = tmp_path / "d.jsonl.gz"
    lines = "\ufeff" + "".join(json.dumps(dataset(name)) + "\r\n" for name in ("one", "two"))
    path.write_bytes(gzip.compress(lines.encode()))

    assert sessions(read_conversation_file(path)) == ["one", "two"]
    assert sessions(read(tmp_path, "\ufeff" + json.dumps([dataset("one")]))) == ["one"]


def test_text_in_every_script_is_kept(tmp_path: Path):
    (one,) = read(tmp_path, json.dumps([dataset("東京", interaction(query="いつ?"))], ensure_ascii=False)).datasets

    assert (one.session_id, one.conversation[0].query) == ("東京", "いつ?")


def test_a_dash_is_stdin_and_all_else_a_path():
    assert (location("-"), location("-/d.json")) == ("-", Path("-/d.json"))


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ("", "is empty; it must hold datasets as JSON"),
        ("[]", "there is no dataset in it"),
        ({"datasets": []}, "there is no dataset in it"),
        ({"datasets": {}}, "datasets: must be a list"),
        ("7", "dataset 1: must be a JSON object, not a number"),
        ([dataset("one"), "two"], "dataset 2: must be a JSON object, not text"),
        ([without(dataset("one"), "assistant_id")], "dataset 1: assistant_id: is required"),
        ([dataset(" ")], "dataset 1: session_id: must not be empty"),
        ([dataset("one", conversation=[])], "dataset 1: conversation: must not be empty"),
        (
            [dataset("one"), dataset("two", interaction(), interaction(), without(interaction(), "assistant"))],
            "dataset 2, interaction 3: assistant: is required",
        ),
        ([dataset("one", conversation=["hello"])], "dataset 1, interaction 1: must be a JSON object, not text"),
        (
            [dataset("one", interaction(agentic={"tools_used": [{"parameters": {}}]}))],
            "dataset 1, interaction 1: agentic: tools_used.0.tool_name: is required",
        ),
        ({"datasets": [dataset("one")], "config": {"k": 0}}, "config.k: must be at least 1"),
        ({"datasets": [dataset("one")], "config": {"tool_weights": {"taste": 1}}}, "config.tool_weights.taste: is no"),
        ({"datasets": [dataset("one")], "config": []}, "config: must be a JSON object, not a list"),
        (json.dumps(dataset("one")) + "\n\n" + '{"session_id": "two"}', "line 3: assistant_id: is required"),
        (json.dumps(dataset("one")) + "\n" + '{"session_id":', "line 2: is not JSON"),
        (json.dumps(dataset("one")) + "\n[]", "line 2: must be a JSON object, not a list"),
        ('[{"session_id": "one",]', "is not JSON: "),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, document: Any, says: str):
    assert refusal(tmp_path, document).startswith(says)


def test_a_file_with_many_wrong_fields_says_how_many(tmp_path: Path):
    wrong = without(interaction(), "query")

    assert refusal(tmp_path, [dataset("one", wrong), dataset("two", wrong, wrong)]) == (
        "dataset 1, interaction 1: query: is required (the first of 3 problems)"
    )


def test_what_a_file_says_is_not_repeated_in_the_refusal(tmp_path: Path):
    secret = dataset("one", interaction(query={"password": "hunter2"}))

    assert "hunter2" not in refusal(tmp_path, [secret])
