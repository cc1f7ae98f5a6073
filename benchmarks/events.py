"""The events that are measured with: some 700 bytes each, all different, as an agent's answers about orders are."""

import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

Payload = Callable[[int], bytes]
"""Makes the event of that number, as the bytes of the field `payload`."""

_SUBJECTS = ("parcel", "invoice", "refund", "warranty", "subscription", "repair", "exchange")
_CARRIERS = ("the northern depot", "a partner carrier", "the local branch", "our own drivers", "the night courier")
_RUBBISH = ("ok", "sure", "fine", "yes!", "done")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def early_exit(number: int) -> bytes:
    """Rubbish: one word where more was asked for."""
    return _payload(number, answer=_RUBBISH[number % len(_RUBBISH)])


def judged(number: int) -> bytes:
    """An answer that passes the prechecks, so that the judges are asked."""
    subject, carrier, day = _details(number)
    return _payload(number, answer=f"The {subject} {number} was handed to {carrier} and arrives on {day} before noon.")


def numbered(payload: Payload, first: int = 0) -> Iterator[bytes]:
    """Yield one after the other, for ever."""
    return map(payload, itertools.count(first))


def _payload(number: int, answer: str) -> bytes:
    subject, carrier, day = _details(number)
    query = f"Where is the {subject} {number} now, who has it, and on which day will it arrive at the customer's door?"
    context = (
        f"Record {number}. The {subject} was accepted at the counter and weighed on the same afternoon. "
        f"It was then handed to {carrier}, which signed for it at the gate. "
        f"Delivery is planned for {day} before noon; the customer has asked for a message one hour ahead. "
        f"Should nobody be at home it is kept for seven days, and sent back after that at no charge."
    )
    document: dict[str, Any] = {
        "event_id": f"evt-{number:08}",
        "event_type": "agent_response",
        "agent": {"name": f"support-agent-{number % 5}", "type": "rag", "version": "1.0.0"},
        "interaction": {"user_query": query, "context": context, "answer": answer},
    }
    return json.dumps(document, ensure_ascii=False).encode()


def _details(number: int) -> tuple[str, str, str]:
    return _SUBJECTS[number % len(_SUBJECTS)], _CARRIERS[number % len(_CARRIERS)], _DAYS[number % len(_DAYS)]
