"""Which calls a rule is about."""

import json
from dataclasses import dataclass

from eval_worker.testing.fake_provider.call import ProviderCall


@dataclass(frozen=True, slots=True)
class Condition:
    """All that is set must hold. Conditions combine: `judge("coherence") & text("evt-007")`."""

    judge: str | None = None
    texts: tuple[str, ...] = ()
    model_id: str | None = None
    has_temperature: bool = False
    has_cache_point: bool = False
    first_ask: bool = False  # not the second one, which tells what was wrong with the first reply

    def matches(self, call: ProviderCall) -> bool:
        return (
            (self.judge in {None, call.judge} or self.judge in call.judges)
            and self.model_id in {None, call.model_id}
            and (not self.has_temperature or call.temperature is not None)
            and (not self.has_cache_point or call.has_cache_point)
            and (not self.first_ask or call.turns == 1)
            and all(_stands_in(fragment, call.conversation) for fragment in self.texts)
        )

    def __and__(self, other: "Condition") -> "Condition":
        return Condition(
            judge=_either(self.judge, other.judge),
            texts=self.texts + other.texts,
            model_id=_either(self.model_id, other.model_id),
            has_temperature=self.has_temperature or other.has_temperature,
            has_cache_point=self.has_cache_point or other.has_cache_point,
            first_ask=self.first_ask or other.first_ask,
        )


ANY_CALL = Condition()


def judge(name: str) -> Condition:
    """Calls of one judge, by its name: `faithfulness`; `combined` is any call that asks several at once."""
    return Condition(judge=name)


def text(fragment: str) -> Condition:
    """Calls whose messages hold this text, be it as it is or JSON-encoded."""
    return Condition(texts=(fragment,))


def model_id(wanted: str) -> Condition:
    """Calls to one model."""
    return Condition(model_id=wanted)


def first_ask() -> Condition:
    """Calls that open a conversation. One that asks again after an unusable reply does not."""
    return Condition(first_ask=True)


def _either(one: str | None, other: str | None) -> str | None:
    if one and other and one != other:
        raise ValueError(f"no call is both {one!r} and {other!r}")
    return one or other


def _stands_in(fragment: str, conversation: str) -> bool:
    if fragment in conversation:
        return True
    encoded = json.dumps(fragment, ensure_ascii=False)[1:-1].replace("<", "\\u003c").replace(">", "\\u003e")
    return encoded in conversation or json.dumps(fragment)[1:-1] in conversation
