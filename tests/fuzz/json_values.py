"""JSON that is wrong in every way that JSON can be, as text and as values."""

import json
import math
import random
from typing import Any

from tests.fuzz.texts import a_text

ODD_JSON = (
    *(
        "NaN",
        "Infinity",
        "-Infinity",
        "1e999999",
        "-0",
        "1E400",
        "0.1e-99999",
        "9" * 400,
        "1" * 5_000,
        "01",
        "+1",
        ".5",
    ),
    *(
        '"\\ud83d"',
        '"\\udc00\\ud800"',
        '"\\u0000"',
        '"\\x"',
        '"',
        "'a'",
        "tru",
        "null",
        "nul",
        "[1,]",
        '{"a":1,}',
        "//",
        "{}",
    ),
    *(
        "[" * 200,
        "[" * 12_000,
        '{"a":' * 3_000,
        "[" * 100 + "]" * 100,
        "[" * 11_000 + "]" * 11_000,
        "[]",
        "\ufeff{}",
        "1 2",
        "",
    ),
)
_ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 3, 5, 6, -1, 2.0, 2.5, math.nan, math.inf, -math.inf, 1e308, 2**63, 10**400),
    *("", "3", " 4 ", "٣", "\ud83d", "\x00", "NaN", "5" * 5_000, '{"rationale": "a", "level": 3}', "x" * 20_000),
)


def a_value(rng: random.Random, keys: tuple[str, ...], depth: int = 0) -> Any:
    """Any value that a JSON parser may return; objects have some of the keys."""
    kind = rng.randrange(4)
    if kind <= 1 or depth > 3:
        return rng.choice(_ODD_VALUES) if rng.random() < 0.7 else a_text(rng, 30)
    if kind == 2:
        return [a_value(rng, keys, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(keys): a_value(rng, keys, depth + 1) for _ in range(rng.randrange(4))}


def mutated(rng: random.Random, document: Any, keys: tuple[str, ...]) -> Any:
    """The document with one of its parts replaced, removed, doubled or added to. Changes it in place."""
    path = rng.choice(list(_paths(document)))
    if not path:
        return a_value(rng, keys)
    parent = document
    for step in path[:-1]:
        parent = parent[step]
    kind = rng.randrange(6)
    if kind <= 2:
        parent[path[-1]] = a_value(rng, keys)
    elif kind == 3:
        del parent[path[-1]]
    elif isinstance(parent, list):
        parent.append(rng.choice((a_value(rng, keys), parent[path[-1]])))  # pyright: ignore[reportUnknownMemberType]
    else:
        parent[rng.choice(keys)] = a_value(rng, keys)
    return document


def strict(raw: bytes | str) -> Any:
    """Read JSON as the strictest of other languages would: UTF-8, no NaN, no doubled key, no half a character."""
    text = raw.decode() if isinstance(raw, bytes) else raw
    document = json.loads(text, parse_constant=_refuse, object_pairs_hook=_distinct)
    json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
    return document


def _paths(document: Any, path: tuple[Any, ...] = ()) -> Any:
    yield path
    steps = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for step, part in steps:
        yield from _paths(part, (*path, step))


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) < len(pairs):
        raise ValueError("a key appears twice")
    return document
