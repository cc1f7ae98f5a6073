"""The keys, the group and who we are in it."""

from dataclasses import dataclass

RELEASED = "released"
"""The consumer under whose name entries wait that were given back."""


@dataclass(frozen=True, slots=True)
class StreamNames:
    """`prefix` stands before an entry's id where it leaves the stream: the partition's number, or nothing."""

    events: str
    results: str
    dead_letters: str
    group: str
    consumer: str
    prefix: str = ""
