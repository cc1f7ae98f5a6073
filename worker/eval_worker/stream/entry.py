"""An entry of the event stream, delivered to us."""

from collections.abc import Sequence
from typing import Any

from eval_worker.dead_letter import RawFields
from eval_worker.value_object import value_object


@value_object
class Entry:
    """`deliveries` counts this one. Fields are raw pairs: bytes, in order, names may repeat."""

    id: str
    fields: RawFields
    deliveries: int

    @property
    def size(self) -> int:
        """How many bytes its fields hold."""
        return sum([len(name) + len(value) for name, value in self.fields])

    def values_of(self, name: bytes) -> list[bytes]:
        return [value for field, value in self.fields if field == name]

    @classmethod
    def from_reply(cls, entry_id: bytes, flat_fields: Sequence[bytes] | None, deliveries: int) -> "Entry":
        """Read one entry as Redis replies it: its id and `[name, value, name, value, …]`."""
        flat: Sequence[Any] = flat_fields or ()
        return cls(entry_id.decode(), tuple(zip(flat[::2], flat[1::2], strict=True)), deliveries)
