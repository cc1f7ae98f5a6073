"""Parts of a request that a model may refuse, and that it can do without: they are left out for that model then."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from eval_worker.models.bedrock.failures import refuses_prompt_caching, refuses_temperature

CACHE_POINT: dict[str, Any] = {"cachePoint": {"type": "default"}}


@dataclass(frozen=True, slots=True)
class Concession:
    """One such part of a Converse request."""

    stands_in: Callable[[dict[str, Any]], bool]
    take_out_of: Callable[[dict[str, Any]], None]
    refused_by: Callable[[ClientError], bool]


def _without_temperature(call: dict[str, Any]) -> None:
    call["inferenceConfig"].pop("temperature", None)


def _without_cache_point(call: dict[str, Any]) -> None:
    call["system"] = [block for block in call["system"] if "cachePoint" not in block]


TEMPERATURE = Concession(
    lambda call: "temperature" in call["inferenceConfig"], _without_temperature, refuses_temperature
)
PROMPT_CACHING = Concession(
    lambda call: any("cachePoint" in block for block in call["system"]), _without_cache_point, refuses_prompt_caching
)


class Concessions:
    """What each model was found to refuse."""

    def __init__(self) -> None:
        self._refused: set[tuple[str, Concession]] = set()

    def made_to(self, model_id: str, concession: Concession) -> bool:
        return (model_id, concession) in self._refused

    def apply(self, call: dict[str, Any]) -> None:
        """Leave out what its model is known to refuse."""
        for model_id, concession in tuple(self._refused):
            if model_id == call["modelId"]:
                concession.take_out_of(call)

    def concede(self, call: dict[str, Any], error: ClientError) -> bool:
        """Leave out what was refused, for good; returns whether that is all that was wrong."""
        for concession in (TEMPERATURE, PROMPT_CACHING):
            if concession.stands_in(call) and concession.refused_by(error):
                self._refused.add((call["modelId"], concession))
                concession.take_out_of(call)
                return True
        return False
