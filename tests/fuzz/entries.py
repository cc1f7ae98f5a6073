"""Stream entries of every kind that a producer, a bug or an enemy may write."""

import json
import random
from collections.abc import Callable
from enum import Enum, auto
from typing import Any

from tests.events import event
from tests.fuzz.json_values import ODD_JSON, a_value, mutated
from tests.fuzz.texts import a_text

from eval_worker.dead_letter import RawFields

MAX_EVENT_BYTES = 16 * 1024
_KEYS = ("event_id", "event_type", "agent", "interaction", "user_query", "answer", "context", "name", "payload", "x")
_NAMES = (b"payload", b"payload", b"Payload", b"", b"\xff", b"payload\x00", b"data", "плод".encode(), b"a" * 300)


class Expected(Enum):
    RESULT = auto()
    DEAD_LETTER = auto()
    EITHER = auto()


Case = tuple[RawFields, Expected]


def an_entry(rng: random.Random) -> Case:
    (make,) = rng.choices([make for make, _ in _KINDS], [weight for _, weight in _KINDS])
    return make(rng)


def _random_bytes(rng: random.Random) -> Case:
    return _payload(rng.randbytes(rng.choice((0, 1, 3, 20, 200)))), Expected.EITHER


def _damaged(rng: random.Random) -> Case:
    """A good event with some bits flipped, cut off, swapped or said twice."""
    raw = bytearray(json.dumps(event(a_text(rng, 20) or "x", answer="ok"), ensure_ascii=False).encode())
    for _ in range(rng.randint(1, 4)):
        at, other = rng.randrange(len(raw)), rng.randrange(len(raw))
        kind = rng.randrange(5)
        if kind == 0:
            raw[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del raw[at : at + rng.randint(1, 30)]
        elif kind == 2:
            raw[at], raw[other] = raw[other], raw[at]
        elif kind == 3:
            raw[at:at] = raw[other : other + 40]
        else:
            raw[at:at] = rng.choice(ODD_JSON)[:200].encode()
        if not raw:
            break
    return _payload(bytes(raw)), Expected.EITHER


def _odd_json(rng: random.Random) -> Case:
    odd = rng.choice(ODD_JSON)
    kind = rng.randrange(3)
    if kind == 0:
        return _payload(odd.encode()), Expected.DEAD_LETTER
    good = json.dumps(event(answer="ok"))
    if kind == 1:  # where nothing looks
        return _payload(f'{{"x": {odd}, {good[1:]}'.encode()), Expected.EITHER
    name = rng.choice(_KEYS[:7])
    return _payload(good.replace(f'"{name}": ', f'"{name}": {odd}, "{name}": ', 1).encode()), Expected.EITHER


def _wrong_shape(rng: random.Random) -> Case:
    document: Any = event(answer="ok")
    for _ in range(rng.randint(1, 3)):
        if isinstance(document, (dict, list)):
            document = mutated(rng, document, _KEYS)
    return _payload(_dumped(rng, document)), Expected.EITHER


def _any_json(rng: random.Random) -> Case:
    return _payload(_dumped(rng, a_value(rng, _KEYS))), Expected.EITHER


def _layout(rng: random.Random) -> Case:
    """Fields that are missing, repeated, empty, or thousands."""
    count = rng.choice((1, 1, 2, 3, 10, 300)) if rng.random() < 0.995 else 5_000
    names = rng.choices(_NAMES, k=count)
    payload = json.dumps(event(answer="ok")).encode()
    fields = [(name, payload if name == b"payload" and count < 300 else rng.randbytes(3)) for name in names]
    once = names.count(b"payload") == 1
    return fields, Expected.EITHER if once else Expected.DEAD_LETTER


def _rubbish(rng: random.Random) -> Case:
    """A good event, as far as its format goes."""
    query = a_text(rng)
    document = event(a_text(rng, 40), query=query, answer=rng.choice(("", "ok", " ", "...", "\x00", "\u202e")))
    good = query.strip() and str(document["event_id"]).strip()
    return _payload(_dumped(rng, document)), Expected.RESULT if good else Expected.DEAD_LETTER


def _to_be_judged(rng: random.Random) -> Case:
    texts = {"query": a_text(rng), "answer": a_text(rng), "context": a_text(rng)}
    one = rng.choice(("query", "answer", "context"))
    document = event("judged", **{one: texts[one]} if rng.random() < 0.5 else texts)
    good = document["interaction"]["user_query"].strip()
    return _payload(_dumped(rng, document)), Expected.RESULT if good else Expected.DEAD_LETTER


def _large(rng: random.Random) -> Case:
    """Up to the limit, at it, and beyond."""
    document = json.dumps(event(answer="ok", query="?"), ensure_ascii=False)
    size = MAX_EVENT_BYTES + rng.choice((-10_000, -1, 0, 1, 10_000))
    filler = ("x" if rng.random() < 0.5 else "ﷺ") * size
    room = size - len(document.encode())
    payload = document.replace('"?"', f'"?{filler.encode()[:room].decode(errors="ignore")}"').encode()
    return _payload(payload), Expected.RESULT if len(payload) <= MAX_EVENT_BYTES else Expected.DEAD_LETTER


_KINDS: tuple[tuple[Callable[[random.Random], Case], float], ...] = (
    (_random_bytes, 20),
    (_damaged, 30),
    (_odd_json, 5),
    (_wrong_shape, 20),
    (_any_json, 8),
    (_layout, 3),
    (_rubbish, 10),
    (_to_be_judged, 3),
    (_large, 0.1),
)


def _payload(raw: bytes) -> RawFields:
    return [(b"payload", raw)]


def _dumped(rng: random.Random, document: Any) -> bytes:
    """As escapes or as UTF-8, where half a character is what it becomes in careless hands."""
    return json.dumps(document, ensure_ascii=rng.random() < 0.5).encode(errors="surrogatepass")
