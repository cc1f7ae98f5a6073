"""What the routes behind the page take and give, beside results and figures."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema

from eval_worker.doors.http_api.wire import SINCE, StrictQuery

MOST_ROWS = 500
MOST_IDS = 100
ENTRY_ID = r"^([0-9]{1,4}/)?[0-9]{1,19}-[0-9]{1,19}$"
_AT_ONCE = f"{MOST_IDS} at most."

_LONGEST_SHOWN = 60


def _entry_id(text: str) -> str:
    if not re.fullmatch(ENTRY_ID, text):
        raise ValueError(f"{text[:_LONGEST_SHOWN]!r} is not an id such as 1700000000000-0")
    return text


EntryId = Annotated[str, AfterValidator(_entry_id), WithJsonSchema({"type": "string", "pattern": ENTRY_ID})]


class OverviewQuery(StrictQuery):
    agent: Annotated[str | None, Field(min_length=1, description="Only this agent's, by its name.")] = None
    version: Annotated[str | None, Field(min_length=1, description="Only of agents of this version.")] = None
    verdict: Annotated[Literal["pass", "review", "fail", "skipped"] | None, Field(description="Only these.")] = None
    text: Annotated[
        str | None, Field(min_length=1, description="Only those with this in the event's id, the texts or the reasons.")
    ] = None
    partial: Annotated[Literal["true", "false"], Field(description="Only those in which a judge failed.")] = "false"
    since: Annotated[str | None, SINCE] = None
    limit: Annotated[int, Field(ge=1, le=MOST_ROWS, description="How many of the newest are listed.")] = 50


class LettersQuery(StrictQuery):
    limit: Annotated[int, Field(ge=1, le=MOST_IDS, description="The newest so many.")] = 50


class LetterIds(BaseModel):
    model_config = ConfigDict(extra="forbid")

    ids: Annotated[
        list[EntryId], Field(min_length=1, max_length=MOST_IDS, description=f"Dead letters by their ids, {_AT_ONCE}")
    ]


class LetterReply(BaseModel):
    """A dead letter. `size` is its payload's, in bytes."""

    id: str
    event_id: str | None
    reason: str
    error: str
    deliveries: str
    failed_at: str
    source_id: str
    worker: str
    size: int


class LettersReply(BaseModel):
    """Newest first. `total` is how many there are; `complete` is false where older ones are not listed."""

    letters: list[LetterReply]
    total: int
    complete: bool


class WholeLetterReply(LetterReply):
    """With the event as it came: what is not UTF-8 is replaced, and what is very long is cut (`cut`)."""

    payload: str
    cut: bool


class RefusedLetter(BaseModel):
    id: str
    problem: str


class ReplayedReply(BaseModel):
    """`replayed` names the new entries on the event stream by the dead letters that they were."""

    replayed: dict[str, str]
    refused: list[RefusedLetter]


class PurgedReply(BaseModel):
    """How many were there to be deleted."""

    purged: int
