"""Reads what the settings say of prices."""

from collections.abc import Mapping
from pathlib import Path

from eval_worker.errors import SettingsError
from eval_worker.evaluation.judges.definition import JudgeSet
from eval_worker.models.prices import ModelPrice, PriceList, load_prices
from eval_worker.settings import Settings


def read_prices(settings: Settings) -> PriceList:
    """Read the list prices with the user's own over them.

    Raises:
        SettingsError: PRICES_FILE can't be read, or holds something else.
    """
    return PriceList(_models(settings), settings.input_token_price, settings.output_token_price)


def check_prices_known(settings: Settings, judges: JudgeSet, model: str) -> None:
    """Make sure that what is spent can be counted, where it is limited.

    Raises:
        SettingsError: there is a limit, and a model whose price is not known.
    """
    if settings.max_cost_per_hour is None or settings.judge_model == "offline":
        return
    prices = read_prices(settings)
    for asked in sorted({model, *(judge.model.model_id or model for judge in judges.judges)}):
        if prices.of(asked) is None:
            raise SettingsError(
                f"MAX_COST_PER_HOUR: the price of {asked!r} is not known: set INPUT_TOKEN_PRICE and "
                "OUTPUT_TOKEN_PRICE, or name the model in PRICES_FILE"
            )


def _models(settings: Settings) -> Mapping[str, ModelPrice]:
    if settings.judge_model == "offline":  # it calls no model, and most who use it wait for the start
        return {}
    if settings.prices_file is None:
        return load_prices()
    try:
        own = Path(settings.prices_file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SettingsError(f"PRICES_FILE: {settings.prices_file} can't be read: {why}") from error
    return load_prices(own, source=settings.prices_file)
