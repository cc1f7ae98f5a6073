"""The dead letter: an event that can't be evaluated, kept whole, with the reason."""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

RawFields = Sequence[tuple[bytes, bytes]]
"""A stream entry's fields as they lie in Redis: bytes, in order, names may repeat."""

_BASE64_KEY = "base64"
_Encoded = str | dict[str, str]


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """`reason` is for people and names the field; `error` is a short stable code for counting."""

    fields: RawFields
    reason: str
    error: str
    source_id: str
    deliveries: int
    failed_at: datetime
    worker: str

    def to_stream_fields(self) -> list[tuple[str, str | bytes]]:
        payload = next((value for name, value in self.fields if name == b"payload"), b"")
        return [
            ("payload", payload),
            ("fields", encode_fields(self.fields)),
            ("reason", self.reason),
            ("error", self.error),
            ("source_id", self.source_id),
            ("deliveries", str(self.deliveries)),
            ("failed_at", self.failed_at.isoformat().replace("+00:00", "Z")),
            ("worker", self.worker),
        ]


def encode_fields(fields: RawFields) -> str:
    """A JSON object of every field, or a list of pairs where a name repeats or is not UTF-8.

    Text stays text; bytes that are not UTF-8 become `{"base64": "…"}`.
    """
    names = [_encode(name) for name, _ in fields]
    values = [_encode(value) for _, value in fields]
    if len({name for name in names if isinstance(name, str)}) == len(fields):
        return json.dumps(dict(zip(names, values, strict=True)), ensure_ascii=False)  # type: ignore[arg-type]
    return json.dumps(list(zip(names, values, strict=True)), ensure_ascii=False)


def decode_fields(encoded: str | bytes) -> list[tuple[bytes, bytes]]:
    """The exact fields that `encode_fields` was given."""
    document: dict[str, _Encoded] | list[tuple[_Encoded, _Encoded]] = json.loads(encoded)
    pairs = document.items() if isinstance(document, dict) else document
    return [(_decode(name), _decode(value)) for name, value in pairs]


def _encode(raw: bytes) -> _Encoded:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return {_BASE64_KEY: base64.b64encode(raw).decode()}


def _decode(value: _Encoded) -> bytes:
    return value.encode() if isinstance(value, str) else base64.b64decode(value[_BASE64_KEY])
