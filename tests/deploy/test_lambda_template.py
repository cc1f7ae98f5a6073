"""The SAM template holds together, and with the Dockerfile and the code."""

import importlib
import re
from typing import Any

import pytest
import yaml
from tests.processes import ROOT

DIRECTORY = ROOT / "deploy" / "lambda"
PSEUDO = {"AWS::NoValue", "AWS::Region", "AWS::AccountId"}


class Loader(yaml.SafeLoader):
    """Reads CloudFormation's short forms as `{function: argument}`."""


def _short_form(loader: Loader, tag: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        value: Any = loader.construct_scalar(node)
    else:
        value = loader.construct_sequence(node, deep=True)  # type: ignore[arg-type]
    return {tag: value}


Loader.add_multi_constructor("!", _short_form)


@pytest.fixture(scope="module")
def template() -> Any:
    return yaml.load((DIRECTORY / "template.yaml").read_text(encoding="utf-8"), Loader)


def used(document: Any, tag: str) -> list[str]:
    """Everything that a short form is given anywhere."""
    if isinstance(document, dict):
        here = [document[tag]] if tag in document else []
        return [*here, *(found for part in document.values() for found in used(part, tag))]
    return [found for part in document for found in used(part, tag)] if isinstance(document, list) else []


def test_every_name_that_is_referred_to_is_there(template: Any):
    named = {*template["Parameters"], *template["Resources"], *PSEUDO}

    assert {name for name in used(template, "Ref") if name not in named} == set()
    assert {name.split(".")[0] for name in used(template, "GetAtt")} <= set(template["Resources"])
    assert {name for text in used(template, "Sub") for name in re.findall(r"\$\{(\w+)\}", text)} <= named
    conditions = {choice[0] for choice in used(template, "If")} | set(used(template["Resources"], "Condition"))
    assert conditions == set(template["Conditions"])


def test_the_key_is_shown_nowhere_and_reaches_the_function(template: Any):
    assert template["Parameters"]["LlmApiKey"]["NoEcho"] is True
    assert "LlmApiKey" not in str(template["Outputs"])
    variables = template["Resources"]["Function"]["Properties"]["Environment"]["Variables"]
    assert variables["LLM_API_KEY"] == {"If": ["HasKey", {"Ref": "LlmApiKey"}, {"Ref": "AWS::NoValue"}]}


def test_nobody_may_spend_the_owners_money_unsigned(template: Any):
    rule = template["Rules"]["WhatWePayForIsNotForEverybody"]

    assert used(rule["RuleCondition"], "Ref") == ["LlmApiKey", "BedrockAccess"]
    assert rule["Assertions"][0]["Assert"] == {"Equals": [{"Ref": "Auth"}, "AWS_IAM"]}


def test_logs_are_kept_for_so_long_and_no_longer(template: Any):
    logs = template["Resources"]["Logs"]["Properties"]
    assert logs == {"LogGroupName": {"Sub": "/aws/lambda/${FunctionName}"}, "RetentionInDays": {"Ref": "LogDays"}}


def test_what_the_scripts_set_are_parameters_of_the_template(template: Any):
    script = (DIRECTORY / "scripts" / "stack.sh").read_text(encoding="utf-8")
    names = set(re.findall(r"override (\w+) ", script)) | {"ImageUri"}

    assert names <= set(template["Parameters"])


def test_the_image_runs_the_handler_and_is_made_of_what_is_there():
    dockerfile = (DIRECTORY / "Dockerfile").read_text(encoding="utf-8")

    (path,) = re.findall(r'^CMD \["([\w.]+)"\]', dockerfile, re.MULTILINE)
    module, _, name = path.rpartition(".")
    assert callable(getattr(importlib.import_module(module), name))
    for line in re.findall(r"^COPY (.*)", dockerfile, re.MULTILINE):
        assert all((ROOT / source).exists() for source in line.split()[:-1])
