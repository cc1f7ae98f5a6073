"""What a model's tokens cost, by the id under which a provider knows it."""

import re
from pathlib import Path

import pytest

from eval_worker.errors import SettingsError
from eval_worker.evaluation.judges.model import Usage
from eval_worker.models.prices import ModelPrice, PriceList, load_prices
from eval_worker.settings import DEFAULT_MODEL_ID, load_settings
from eval_worker.wiring.pricing import read_prices

LISTED = PriceList(load_prices())
HAIKU = LISTED.of("claude-3-5-haiku")
A_MILLION = 1_000_000


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "model_id",
    [
        DEFAULT_MODEL_ID,
        "anthropic.claude-3-5-haiku-20241022-v1:0",
        "anthropic.claude-3-5-haiku-20241022-v1:0:48k",
        "eu.anthropic.claude-3-5-haiku-20241022-v1:0",
        "claude-3-5-haiku-latest",
        "langchain:ChatAnthropic/claude-3-5-haiku-20241022",
        "langchain:ChatBedrockConverse/us.anthropic.claude-3-5-haiku-20241022-v1:0",
        "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-3-5-haiku-20241022-v1:0",
        "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-3-5-haiku-20241022-v1:0",
    ],
)
def test_neither_geography_nor_version_makes_it_another_model(model_id: str):
    assert HAIKU is not None
    assert LISTED.of(model_id) == HAIKU
    assert (HAIKU.input, HAIKU.output, HAIKU.cache_read, HAIKU.cache_write) == (0.8, 4, 0.08, 1)


@pytest.mark.parametrize(
    "model_id",
    [
        "anthropic.claude-opus-4-9-v1",  # not the price of Opus 4
        "anthropic.claude-opus-45",
        "amazon.nova-pro-v1:0",
        "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc123",
        "offline",
        "",
    ],
)
def test_a_model_that_is_not_listed_has_no_price(model_id: str):
    assert LISTED.of(model_id) is None
    assert LISTED.cost_usd(model_id, Usage(1, 100, 10)) is None


def test_the_longest_name_that_fits_counts():
    old, new = LISTED.of("anthropic.claude-opus-4-20250514-v1:0"), LISTED.of("global.anthropic.claude-opus-4-6-v1")
    assert old is not None
    assert new is not None
    assert (old.input, new.input) == (15, 5)


@pytest.mark.parametrize(
    ("model_id", "price"),
    [
        ("global.anthropic.claude-haiku-4-5-20251001-v1:0", 1.0),
        ("us.anthropic.claude-haiku-4-5-20251001-v1:0", 1.1),
        ("anthropic.claude-haiku-4-5-20251001-v1:0", 1.1),
        ("claude-haiku-4-5-20251001", 1.0),  # the provider's own API
        ("us.anthropic.claude-sonnet-4-20250514-v1:0", 3.0),  # a model from before that premium
    ],
)
def test_newer_models_cost_more_where_a_call_stays_in_its_region(model_id: str, price: float):
    listed = LISTED.of(model_id)
    assert listed is not None
    assert listed.input == pytest.approx(price)


def test_tokens_from_and_for_the_prompt_cache_have_prices_of_their_own():
    usage = Usage(1, 3 * A_MILLION, A_MILLION, cache_read_input_tokens=A_MILLION, cache_write_input_tokens=A_MILLION)
    assert LISTED.cost_usd(DEFAULT_MODEL_ID, usage) == pytest.approx(0.8 + 0.08 + 1 + 4)


def test_cached_tokens_without_a_price_of_their_own_are_input_like_any_other():
    usage = Usage(1, A_MILLION, 0, cache_read_input_tokens=A_MILLION)
    assert ModelPrice(input=2, output=10).cost_usd(usage) == 2


def test_a_price_that_was_set_overrides_the_list_and_keeps_the_caches_discount():
    contract = PriceList(load_prices(), input_usd=0.4, output_usd=3)
    ours, other = contract.of(DEFAULT_MODEL_ID), contract.of("amazon.nova-pro-v1:0")

    assert ours is not None
    assert (ours.input, ours.output) == (0.4, 3)
    assert (ours.cache_read, ours.cache_write) == (pytest.approx(0.04), pytest.approx(0.5))
    assert other == ModelPrice(input=0.4, output=3)


def test_one_price_alone_prices_no_model_that_is_not_listed():
    assert PriceList(load_prices(), input_usd=0.4).of("amazon.nova-pro-v1:0") is None


def test_a_file_of_ones_own_is_laid_over_the_list(tmp_path: Path):
    (tmp_path / "prices.yaml").write_text(
        "models:\n  amazon.nova-pro: {input: 0.8, output: 3.2}\n  claude-3-5-haiku: {input: 0.5, output: 2}\n"
    )
    prices = read_prices(load_settings(prices_file="prices.yaml"))

    assert prices.of("us.amazon.nova-pro-v1:0") == ModelPrice(input=0.8, output=3.2)
    assert prices.of(DEFAULT_MODEL_ID) == ModelPrice(input=0.5, output=2)
    assert prices.of("global.anthropic.claude-opus-4-6-v1") is not None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "PRICES_FILE: prices.yaml can't be read: No such file or directory"),
        ("models: [", "PRICES_FILE: prices.yaml is not YAML"),
        ("- 1", "PRICES_FILE: prices.yaml: the file: must be a mapping"),
        ("models: {m: {input: cheap, output: 1}}", "PRICES_FILE: prices.yaml: models.m.input: must be a number"),
        ("models: {m: {input: 1}}", "PRICES_FILE: prices.yaml: models.m.output: is required"),
        ("models: {m: {input: 1, output: 1, ouput: 2}}", "PRICES_FILE: prices.yaml: models.m.ouput: is no key"),
        ("models: {m: {input: -1, output: 1}}", "PRICES_FILE: prices.yaml: models.m.input: must be at least 0"),
    ],
)
def test_a_file_that_holds_no_prices_stops_the_start(tmp_path: Path, text: str | None, problem: str):
    if text is not None:
        (tmp_path / "prices.yaml").write_text(text)
    with pytest.raises(SettingsError, match="^" + re.escape(problem)):
        read_prices(load_settings(prices_file="prices.yaml"))
