"""Function calls that an agent may be asked for, altered in ways that matter and in ways that don't.

An expected call tells its accepted values as leaderboards of function calling do. Only the verdict at threshold 1.0 is
looked at, for each alteration of each task to which it applies.
"""

from collections.abc import Callable
from typing import Any

import pytest
from tests.agentic.tools.calls import Call, call, score

Alteration = Callable[[list[Call]], list[Call]]


def first_choice(accepted: list[Any]) -> Any:
    first = accepted[0]
    return {key: choices[0] for key, choices in first.items()} if isinstance(first, dict) else first


def expected(tool_name: str, may_have: dict[str, list[Any]] | None = None, /, **accepted: list[Any]) -> Call:
    """Expect the first of the accepted values; what it `may_have` is left out."""
    parameters = {name: first_choice(values) for name, values in accepted.items()}
    return {"tool_name": tool_name, "parameters": parameters, "accepted": {**accepted, **(may_have or {})}}


TASKS = {
    "tides": [expected("tides.lookup", {"unit": ["m", ""]}, port=["St. Malo", "Saint-Malo"], days=[3])],
    "ferry": [
        expected("book_ferry", route=["Calais-Dover", "Calais to Dover"], cars=[1], pets=[False]),
        expected("book_ferry", route=["Dover-Calais"], cars=[2], pets=[True]),
    ],
    "kiln": [
        expected("set_kiln", degrees=[1040.5], ramp=[[100, 250.5, 400]]),
        expected("log", text=["glaze firing", "firing"], tags=[["kiln", "Glaze"], ["Glaze", "kiln"]]),
    ],
    "crate": [
        expected("pack", box=[{"width": [40], "unit": ["cm", "centimetres", ""]}], fragile=[True]),
        expected("weigh", crate=["7"], scale=[2, 3]),
        expected("weigh", crate=["8"], scale=[2, 3]),
    ],
}


def gold(task: list[Call]) -> list[Call]:
    return [call(one["tool_name"], **one["parameters"]) for one in task]


def with_arguments(task: list[Call], change: Callable[[str, Any], Any]) -> list[Call]:
    return [
        call(one["tool_name"], **{name: change(name, value) for name, value in one["parameters"].items()})
        for one in task
    ]


def first_changed(task: list[Call], **arguments: Any) -> list[Call]:
    first, *others = gold(task)
    return [{**first, "parameters": {**first["parameters"], **arguments}}, *others]


def respelled(task: list[Call]) -> list[Call]:
    return with_arguments(task, lambda _, value: f" {value.upper()}. " if isinstance(value, str) else value)


def other_accepted(task: list[Call]) -> list[Call]:
    """Take the last of the accepted values; of an object without the keys that may be left out."""
    last = ({name: values[-1] for name, values in one["accepted"].items() if "" not in values} for one in task)
    flat = ({**one, "box": {"width": 40}} if "box" in one else one for one in last)
    return [call(one["tool_name"], **arguments) for one, arguments in zip(task, flat, strict=True)]


def lists_reversed(_: str, value: Any) -> Any:
    return value[::-1] if isinstance(value, list) and value[0] == 100 else value


def without_first_argument(task: list[Call]) -> list[Call]:
    first, *others = gold(task)
    _, *kept = first["parameters"].items()
    return [{**first, "parameters": dict(kept)}, *others]


RIGHT: dict[str, Alteration] = {
    "as it is": gold,
    "in another order": lambda task: gold(task)[::-1],
    "spelled otherwise": respelled,
    "other accepted values": other_accepted,
    "whole numbers as fractions": lambda task: with_arguments(task, lambda _, v: float(v) if type(v) is int else v),
}
WRONG: dict[str, Alteration] = {
    "the last call missing": lambda task: gold(task)[:-1],
    "the last call twice": lambda task: [*gold(task), gold(task)[-1]],
    "the first call in place of the last": lambda task: [*gold(task)[:-1], gold(task)[0]] if len(task) > 1 else [],
    "another tool": lambda task: [{**gold(task)[0], "tool_name": task[0]["tool_name"] + "_info"}, *gold(task)[1:]],
    "the tool's name in capitals": lambda task: [{**one, "tool_name": one["tool_name"].upper()} for one in gold(task)],
    "an argument missing": without_first_argument,
    "an argument too many": lambda task: first_changed(task, verbose=True),
    "an accepted argument with another value": lambda task: first_changed(task, unit="fathoms"),
    "truth as a number": lambda task: with_arguments(task, lambda _, v: int(v) if type(v) is bool else v),
    "numbers as text": lambda task: with_arguments(task, lambda _, v: str(v) if type(v) in (int, float) else v),
    "numbers off by a bit": lambda task: with_arguments(task, lambda _, v: v + 0.5 if type(v) in (int, float) else v),
    "text with a letter more": lambda task: with_arguments(task, lambda _, v: v + "s" if isinstance(v, str) else v),
    "lists the other way round": lambda task: with_arguments(task, lists_reversed),
}  # fmt: skip


def altered(alterations: dict[str, Alteration]) -> list[Any]:
    """Apply each to each task; those that change nothing in it are left out."""
    return [
        pytest.param(alter(task), task, id=f"{name}: {how}")
        for how, alter in alterations.items()
        for name, task in TASKS.items()
        if alter is gold or repr(alter(task)) != repr(gold(task))
    ]


@pytest.mark.parametrize(("used", "task"), altered(RIGHT))
def test_an_alteration_that_does_not_matter_is_correct(used: list[Call], task: list[Call]):
    assert score(used, task).is_correct


@pytest.mark.parametrize(("used", "task"), altered(WRONG))
def test_an_alteration_that_matters_is_not_correct_and_has_a_reason(used: list[Call], task: list[Call]):
    scored = score(used, task)

    assert not scored.is_correct
    assert scored.reasoning != "all tools were called as expected"


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_a_task_is_correct_against_itself_with_and_without_lenience(task: list[Call]):
    assert score(gold(task), task, in_order=True).overall_correctness == 1.0
    assert score(gold(task), gold(task), in_order=True, sequence="exact").overall_correctness == 1.0
