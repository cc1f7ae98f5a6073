"""Reads what the settings say of prices."""

from collections.abc import Mapping
from pathlib import Path

from eval_worker.errors import SettingsError
from eval_worker.models.prices import ModelPrice, PriceList, load_prices
from eval_worker.settings import Settings


def read_prices(settings: Settings) -> PriceList:
    """Read the list prices with the user's own over them.

    Raises:
        SettingsError: PRICES_FILE can't be read, or holds something else.
    """
    return PriceList(_models(settings), settings.input_token_price, settings.output_token_price)


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
