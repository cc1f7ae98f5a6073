"""The keys, the group and who we are in it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StreamNames:
    events: str
    results: str
    dead_letters: str
    group: str
    consumer: str
