"""How an LLM's reply becomes a judgement, or several: validated here, whatever the provider promised."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Literal, cast

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from eval_worker.evaluation.judges.definition import HIGHEST_LEVEL
from eval_worker.evaluation.judges.model import BadReply, Judgement, ModelAnswer, ModelReply, Opinion
from eval_worker.invalid_field import first_problem

_KEPT_CHARACTERS = 2_000  # of a bad reply, to show it to the model again
_MOST_TRIES = 64  # of a brace that may open the object: each can cost as much as the text is long
_JSON_DECODER = json.JSONDecoder()


class _Reply(BaseModel):
    # A model may add keys of its own; a level of "4" or 4.0 is plain enough, 4.5 is not a level.
    model_config = ConfigDict(extra="ignore")

    rationale: Annotated[str, StringConstraints(min_length=1)]
    level: Literal[0, 1, 2, 3, 4, 5]


def read_answer(answer: ModelAnswer) -> Opinion | BadReply:
    """Read what an LLM said as a judgement, or as a reply that can't be used; all else is taken as it is."""
    if not isinstance(answer, ModelReply):
        return answer
    return BadReply(str(answer.content), answer.problem) if answer.problem else parse_reply(answer.content)


def parse_reply(content: Mapping[str, object] | str) -> Judgement | BadReply:
    """Read a structured reply, or the JSON object in a text; the level is mapped to level / 5.

    A model may quote what it judges, and there stands what its author chose: a text with objects whose levels differ
    is a bad reply, whichever comes first.
    """
    documents = _objects_with({"level"}, content) if isinstance(content, str) else [dict(content)]
    if not documents:
        return BadReply(_excerpt(content), "it holds no JSON object with rationale and level")
    document, *others = map(_with_integer_level, documents)
    if any(other["level"] != document["level"] for other in others):
        return BadReply(_excerpt(content), "it holds several levels; give one JSON object and quote none")
    try:
        reply = _Reply.model_validate(_with_bare_rationale(document))
    except ValidationError as error:
        field, problem = first_problem(error, root="reply")
        return BadReply(_excerpt(content), f"{field}: {problem}")
    return Judgement(reply.level / HIGHEST_LEVEL, reply.rationale)


def parse_judgements(content: Mapping[str, object] | str, judges: Sequence[str]) -> dict[str, Judgement | BadReply]:
    """Read a structured reply with a judgement under each judge's name, or the JSON object in a text; judge by judge.

    A part that can't be used spoils no other. A text that holds several such objects is a bad reply as a whole, unless
    they give the same levels: one of them may be quoted.
    """
    documents = _objects_with(judges, content) if isinstance(content, str) else [dict(content)]
    if not documents:
        return dict.fromkeys(judges, BadReply(_excerpt(content), "it holds no JSON object with the judges' names"))
    levels, *others = [{judge: _level_in(document.get(judge)) for judge in judges} for document in documents]
    if any(other != levels for other in others):
        several = "it holds several judgements; give one JSON object and quote none"
        return dict.fromkeys(judges, BadReply(_excerpt(content), several))
    return {judge: _judgement_in(documents[0], judge) for judge in judges}


def _judgement_in(document: Mapping[str, object], judge: str) -> Judgement | BadReply:
    if judge not in document:
        return BadReply("", f"{judge}: is missing")
    part = _object_in(document[judge])
    if part is None:
        return BadReply(_excerpt({judge: document[judge]}), f"{judge}: must be an object with rationale and level")
    judgement = parse_reply(part)
    if isinstance(judgement, BadReply):
        return BadReply(_excerpt({judge: part}), f"{judge}: {judgement.problem}")
    return judgement


def _object_in(part: object) -> dict[str, object] | None:
    """Return the object that stands in a reply; models encode what is nested once more at times, as a text."""
    if isinstance(part, str):
        try:
            part = json.loads(part)
        except (ValueError, RecursionError):
            return None
    return cast("dict[str, object]", part) if isinstance(part, dict) else None


def _level_in(part: object) -> object:
    found = _object_in(part)
    return part if found is None else _with_integer_level(found).get("level")


def as_one(unusable: Collection[BadReply]) -> BadReply:
    """Put together what could not be used of one reply, to be shown to the model again."""
    texts = dict.fromkeys(bad.text for bad in unusable if bad.text)
    problems = dict.fromkeys(bad.problem for bad in unusable)
    return BadReply("\n".join(texts)[:_KEPT_CHARACTERS], "; ".join(problems))


def _with_integer_level(document: dict[str, object]) -> dict[str, object]:
    level = document.get("level")
    if isinstance(level, str) and re.fullmatch(r"\s*[0-5]\s*", level):
        return {**document, "level": int(level)}
    if isinstance(level, float) and level.is_integer():
        return {**document, "level": int(level)}
    if isinstance(level, bool):  # True would pass for the literal 1
        return {**document, "level": str(level)}
    return document


def _with_bare_rationale(document: dict[str, object]) -> dict[str, object]:
    # pydantic's own way leaves some control characters, and so a reason of nothing else.
    rationale = document.get("rationale")
    return {**document, "rationale": rationale.strip()} if isinstance(rationale, str) else document


def _objects_with(keys: Collection[str], text: str) -> list[dict[str, object]]:
    """Find the JSON objects that have one of the keys, past any prose or code fence; none if there is too much."""
    found: list[dict[str, object]] = []
    start = text.find("{")
    for _ in range(_MOST_TRIES):
        if start == -1:
            return found
        try:
            value, end = _JSON_DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):  # ValueError: not JSON, or a number of thousands of digits
            start = text.find("{", start + 1)
            continue
        if any(key in value for key in keys):
            found.append(value)
        start = text.find("{", end)
    return []


def _excerpt(content: Mapping[str, object] | str) -> str:
    if isinstance(content, str):
        return content[:_KEPT_CHARACTERS]
    try:
        return json.dumps(content, ensure_ascii=False, default=str)[:_KEPT_CHARACTERS]
    except RecursionError:  # it was read on a shorter stack than ours
        return "an object that is nested too deeply"
