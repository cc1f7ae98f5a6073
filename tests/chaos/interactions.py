"""What is sent through the faults, and how the model answers it: of every kind, and the same every time.

Each interaction names its quality in words that the fake model is told to grade by, so that the verdict depends on the
event alone, and any other verdict was made by a fault.
"""

import json
from dataclasses import dataclass
from random import Random
from typing import Any

from eval_worker.testing import ContentFiltered, MalformedReply, judge, text
from eval_worker.testing.fake_bedrock.steering import Steering

UNUSABLE = "the instruction judge talks nonsense about this"
REFUSED = "no judge may speak about this"
DEADLY = "this stops the process that judges it"

_THINGS = ("engine", "harbour", "library", "orchestra", "glacier", "bakery", "observatory", "lighthouse")
_PARTS = ("front", "roof", "oldest part", "northern side", "inner ring")
_LEVELS = range(6)
_SHARES = {"judged": 50, "rubbish": 30, "no context": 8, "not an event": 5, "unusable reply": 4, "refused": 3}


@dataclass(frozen=True, slots=True)
class Interaction:
    """One payload to send, less its `event_id`. Text that is no JSON object is sent as it is."""

    kind: str
    document: dict[str, Any] | str

    def payload(self, event_id: str) -> str:
        if isinstance(self.document, str):
            return self.document
        return json.dumps({"event_id": event_id, **self.document})


def draw_interactions(random: Random, count: int) -> list[Interaction]:
    """Draw so many, of every kind in its share; no two are alike but for the rubbish."""
    kinds = random.choices(list(_SHARES), weights=list(_SHARES.values()), k=count)
    kinds[: len(_SHARES)] = list(_SHARES)
    return [Interaction(kind, _document(kind, number, random)) for number, kind in enumerate(kinds)]


def deadly_interaction() -> Interaction:
    return Interaction("deadly", _judged("harbour", "roof", 9_999, DEADLY))


def teach(bedrock: Steering) -> None:
    """Make the model grade by what the texts say of themselves."""
    for level in _LEVELS:
        bedrock.reply(level, when=text(_quality(level)))
        bedrock.reply(min(level + 1, max(_LEVELS)), when=judge("coherence") & text(_quality(level)))
    bedrock.script(MalformedReply(), when=judge("instruction") & text(UNUSABLE))
    bedrock.script(ContentFiltered(), when=text(REFUSED))


def _quality(level: int) -> str:
    return f"of quality {level}"


def _document(kind: str, number: int, random: Random) -> dict[str, Any] | str:
    thing, part = random.choice(_THINGS), random.choice(_PARTS)
    remark = f"it is {_quality(random.choice(_LEVELS))}"
    match kind:
        case "rubbish":
            return _event(f"Explain the history of the {thing} and its {part}", f"It has a {part}.", "ok")
        case "not an event":
            return random.choice(["{", '{"event_type": "agent_response"}', "[]", '{"event_id": "", "interaction": {}}'])
        case "no context":
            document = _judged(thing, part, number, remark)
            del document["interaction"]["context"]
            return document
        case "unusable reply":
            return _judged(thing, part, number, f"{remark}, and {UNUSABLE}")
        case "refused":
            return _judged(thing, part, number, REFUSED)
        case _:
            return _judged(thing, part, number, remark)


def _judged(thing: str, part: str, number: int, remark: str) -> dict[str, Any]:
    query = f"What is the {part} of {thing} number {number} like?"
    return _event(query, f"The {part} of {thing} number {number} is well kept.", f"The {part} is well kept; {remark}.")


def _event(query: str, context: str, answer: str) -> dict[str, Any]:
    return {
        "agent": {"name": "guide", "type": "rag", "version": "1.0.0"},
        "interaction": {"user_query": query, "context": context, "answer": answer},
    }
