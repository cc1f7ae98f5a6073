"""The dead letter: an event that can't be evaluated, kept whole, with the reason."""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

RawFields = Sequence[tuple[bytes, bytes]]
"""A stream entry's fields as they lie in Redis: bytes, in order, names may repeat."""

_BASE64_KEY = "base64"
_LONG = 64 * 1024
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

    def to_stream_fields(self) -> list[tuple[str, bytes]]:
        texts = {
            "fields": encode_fields(self.fields),
            "reason": self.reason,
            "error": self.error,
            "source_id": self.source_id,
            "deliveries": str(self.deliveries),
            "failed_at": self.failed_at.isoformat().replace("+00:00", "Z"),
            "worker": self.worker,
        }
        payload = next((value for name, value in self.fields if name == b"payload"), b"")
        # A reason may quote half a character that a provider sent; nothing may keep a dead letter from being written.
        return [("payload", payload), *((name, text.encode(errors="backslashreplace")) for name, text in texts.items())]


def encode_fields(fields: RawFields) -> str:
    """A JSON object of every field, or a list of pairs where a name repeats or is not UTF-8.

    Text stays text; bytes that are not UTF-8, or long and mostly control characters, become `{"base64": "…"}`.
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
        text = raw.decode()
    except UnicodeDecodeError:
        text = None
    # Control characters grow sixfold as JSON; base64 grows by a third.
    if text is not None and (len(raw) < _LONG or len(json.dumps(text, ensure_ascii=False)) < 2 * len(raw)):
        return text
    return {_BASE64_KEY: base64.b64encode(raw).decode()}


def _decode(value: _Encoded) -> bytes:
    return value.encode() if isinstance(value, str) else base64.b64decode(value[_BASE64_KEY])
