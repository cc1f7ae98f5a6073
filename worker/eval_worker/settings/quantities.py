"""What numbers and names may be."""

from collections.abc import Callable
from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

HIGHEST_PORT = 65_535

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Seconds = Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)]
Hours = Annotated[float, Field(gt=0, le=876_000, allow_inf_nan=False)]
Price = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
PerMinute = Annotated[float, Field(gt=0, le=1_000_000_000, allow_inf_nan=False)]
Port = Annotated[int, Field(ge=0, le=HIGHEST_PORT)]
Key = Annotated[str, Field(min_length=1)]


class Group(BaseSettings):
    """Settings that belong together. Each is described by the text below it, which people read as documentation."""

    model_config = SettingsConfigDict(defer_build=True)  # only all of them together are ever read


def refused_by(parse: Callable[[str], object], text: str) -> str:
    """Have a text parsed for the sake of the ValueError; it is kept as it was written."""
    parse(text)
    return text
