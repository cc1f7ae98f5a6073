"""What a model's tokens cost: list prices by model, the user's own over them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Annotated, Any, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eval_worker.errors import SettingsError
from eval_worker.evaluation.judges.model import Usage
from eval_worker.invalid_field import first_problem

Price = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
"""US dollars for a million tokens."""

# Where libyaml is there it takes a tenth of the time, which is felt at the start.
_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_A_MILLION = 1e6
_DECIMALS = 9  # of a dollar: the cheapest token costs more than that
_BEDROCK_VENDOR = "anthropic."
# The inference profiles that Bedrock names by where they route to.
_GEOGRAPHY = re.compile(r"(global|us-gov|us|eu|apac|jp|au|ca|sa|me|af|uk|in)\.(?=[a-z0-9-]+\.)")
# What may follow a model's name without making it another model: claude-3-5-haiku-20241022-v1:0, gpt-4o-2024-11-20.
_VERSION = re.compile(r"(-\d{8}|-\d{4}-\d{2}-\d{2}|-latest|@\d+)?(-v\d+)?(:\d+)?(:\w+)?")


class ModelPrice(BaseModel):
    """US dollars for a million tokens. Cached tokens whose price is not given are priced as any other input.

    `cache_floor` is the least number of tokens that the model's provider caches of a prompt; None: it caches none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: Price
    output: Price
    cache_read: Price | None = None
    cache_write: Price | None = None
    regional: Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)] = 1.0
    cache_floor: Annotated[int, Field(ge=1)] | None = None

    def times(self, factor: float) -> Self:
        read, write = (None if price is None else price * factor for price in (self.cache_read, self.cache_write))
        prices = {
            "input": self.input * factor,
            "output": self.output * factor,
            "cache_read": read,
            "cache_write": write,
        }
        return self.model_copy(update=prices)

    def with_list_prices(self, of_input: float | None, of_output: float | None) -> Self:
        """Put other prices in; what is cached keeps its proportion to the rest of the input."""
        new = self if of_input is None or not self.input else self.times(of_input / self.input)
        update = {"input": self.input if of_input is None else of_input}
        return new.model_copy(update={**update, "output": self.output if of_output is None else of_output})

    def cost_usd(self, usage: Usage) -> float:
        """Return what the tokens cost: those from and for the cache are part of the input, at prices of their own."""
        read, written = usage.cache_read_input_tokens, usage.cache_write_input_tokens
        plain = max(usage.input_tokens - read - written, 0)
        of_read = self.input if self.cache_read is None else self.cache_read
        of_written = self.input if self.cache_write is None else self.cache_write
        of_input = plain * self.input + read * of_read + written * of_written
        return round((of_input + usage.output_tokens * self.output) / _A_MILLION, _DECIMALS)


class _File(BaseModel):
    model_config = ConfigDict(extra="ignore")

    models: dict[str, ModelPrice]


@dataclass(frozen=True, slots=True)
class PriceList:
    """Prices by model. A model that is not in it has none, and what it costs is unknown: None, never 0.

    `input_usd` and `output_usd` are the prices of all models, whatever stands in the list.
    """

    models: Mapping[str, ModelPrice]
    input_usd: float | None = None
    output_usd: float | None = None
    _found: dict[str, ModelPrice | None] = field(
        default_factory=dict[str, "ModelPrice | None"], repr=False, compare=False
    )

    def of(self, model_id: str) -> ModelPrice | None:
        """Return the price of a model by its id, as Bedrock, LangChain or an ARN writes it."""
        if model_id not in self._found:  # few are asked for, and each of them with every call
            self._found[model_id] = self._find(model_id)
        return self._found[model_id]

    def _find(self, model_id: str) -> ModelPrice | None:
        listed = self._listed(model_id)
        if listed is not None:
            return listed.with_list_prices(self.input_usd, self.output_usd)
        if self.input_usd is None or self.output_usd is None:
            return None
        return ModelPrice(input=self.input_usd, output=self.output_usd)

    def cost_usd(self, model_id: str, usage: Usage) -> float | None:
        price = self.of(model_id)
        return None if price is None else price.cost_usd(usage)

    def cache_floor(self, model_id: str) -> int | None:
        """Return how many tokens of a prompt the model caches at least; None where it is not known to cache any."""
        listed = self._listed(model_id)
        return None if listed is None else listed.cache_floor

    def _listed(self, model_id: str) -> ModelPrice | None:
        for name in _names(model_id):
            fitting = (key for key in self.models if name.startswith(key) and _VERSION.fullmatch(name[len(key) :]))
            if key := max(fitting, key=len, default=None):
                price = self.models[key]
                return price.times(price.regional) if _is_regional(model_id) else price
        return None


def _names(model_id: str) -> Iterator[str]:
    """Yield the names that a list may have a model under, the most particular first."""
    yield model_id
    bare = model_id.rpartition("/")[2]  # langchain:ChatBedrockConverse/us.anthropic… and ARNs
    yield bare
    without_geography = _GEOGRAPHY.sub("", bare, count=1)
    yield without_geography
    yield without_geography.removeprefix(_BEDROCK_VENDOR)


def _is_regional(model_id: str) -> bool:
    """Whether it is a model of Bedrock that is to stay in a region or a geography."""
    bare = model_id.rpartition("/")[2]
    return _BEDROCK_VENDOR in bare and not bare.startswith("global.")


def load_prices(own: str | None = None, *, source: str = "prices.yaml") -> Mapping[str, ModelPrice]:
    """Read the built-in prices and, over them, the user's own, model by model.

    Raises:
        SettingsError: the YAML is broken, or what it says is no price.
    """
    return _built_in() if own is None else {**_built_in(), **_models(own, source)}


@cache
def _built_in() -> Mapping[str, ModelPrice]:
    text = resources.files("eval_worker.models").joinpath("prices.yaml").read_text(encoding="utf-8")
    return _models(text, "the built-in prices.yaml")


def _models(text: str, source: str) -> dict[str, ModelPrice]:
    try:
        document: Any = yaml.load(text, Loader=_LOADER)  # noqa: S506 (both are safe ones)
    except yaml.YAMLError as error:
        problem = str(error).splitlines()[0]
        raise SettingsError(f"PRICES_FILE: {source} is not YAML: {problem}") from error
    try:
        return _File.model_validate(document).models
    except ValidationError as error:
        field, problem = first_problem(error, root="the file")
        problem = problem.replace("a JSON object", "a mapping")
        raise SettingsError(f"PRICES_FILE: {source}: {field}: {problem}") from error
