"""Dead letters as a worker writes them."""

import json
from typing import Any

from tests.servers.kinds import DEAD_LETTERS

from eval_worker.dead_letter import encode_fields


def add_letter(redis_client: Any, payload: Any, **changes: str) -> str:
    """Add one whose event was these bytes, this text or this document; return its id."""
    text = payload if isinstance(payload, str | bytes) else json.dumps(payload)
    raw = text if isinstance(text, bytes) else text.encode()
    letter = {
        "payload": raw,
        "fields": encode_fields([(b"payload", raw)]),
        "reason": "interaction.answer: is required",
        "error": "malformed",
        "source_id": "1-0",
        "deliveries": "1",
        "failed_at": "2026-01-01T00:00:00Z",
        "worker": "host-1",
    }
    return redis_client.xadd(DEAD_LETTERS, {**letter, **changes}).decode()
