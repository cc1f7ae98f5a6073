"""Takes secrets out of texts that others wrote: replies of servers, exceptions of libraries.

Our own words need none of this, they are written without secrets.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import cast
from urllib.parse import unquote

Redact = Callable[[str], str]

_HIDDEN = "[…]"
_SHORTEST = 4  # what is shorter stands in any text by chance

_LOOKS_SECRET = (
    re.compile(r"(?i)\b(bearer|basic)\s+(?!auth)[^\s'\",]+"),
    re.compile(r"(?i)\bauthorization\b\s*[:=]\s*.*"),
    re.compile(r"(?i)\b(credential|signature|x-amz-security-token|securitytoken)\s*[:=]\s*[^\s,&'\"]+"),
    re.compile(r"\bA[BCKS][A-Z]A[A-Z0-9]{12,}"),
    re.compile(r"\bbedrock-api-key-[A-Za-z0-9+/=_-]+"),
    re.compile(r"\bABSK[A-Za-z0-9+/=]+"),
    re.compile(r"\b(sk|gsk|xai)[-_][A-Za-z0-9_*-]{16,}"),  # API keys of OpenAI, Anthropic, Groq, xAI
    re.compile(r"\bAIza[A-Za-z0-9_-]{20,}"),  # and of Google
    re.compile(r"(?<=://)[^\s'\"]*@"),
    re.compile(r"(?i)\bwith args beginning with:.*"),  # how Redis refuses a command: AUTH has the password there
)

_SECRET_NAME = re.compile(r"(?i)(api_?key|(^|[_-])keys?$|secret|token($|[_-])|passw|credential|authorization|cookie)")
_SCHEMES = ("bearer ", "basic ")


def without_secrets(text: str, known: Collection[str] = ()) -> str:
    """Hide the known secrets, and what has the shape of one."""
    for secret in sorted(known, key=len, reverse=True):  # one may be part of another
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, _HIDDEN)
    for shape in _LOOKS_SECRET:
        text = shape.sub(_HIDDEN, text)
    return text


def secret_values(document: object) -> frozenset[str]:
    """Return what must not be shown of a document, at any depth.

    That is each text under a name that speaks of a key, token, secret or password, and each password in a URL.
    """
    return frozenset(filter(None, _secrets_in(document, named_so=False)))


def passwords(url: str) -> set[str]:
    """Return the password that a URL holds, as it stands there and as it is meant."""
    before, at, _ = url.partition("://")[2].rpartition("@")
    written = before.partition(":")[2] if at else ""
    return {written, unquote(written)}


def _secrets_in(value: object, *, named_so: bool) -> Iterator[str]:
    if isinstance(value, str):
        if named_so:
            yield value
            yield from (value[len(scheme) :] for scheme in _SCHEMES if value.lower().startswith(scheme))
        yield from passwords(value)
    elif isinstance(value, Mapping):
        for name, part in cast("Mapping[object, object]", value).items():
            yield from _secrets_in(part, named_so=named_so or _SECRET_NAME.search(str(name)) is not None)
    elif isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        for part in cast("Sequence[object]", value):
            yield from _secrets_in(part, named_so=named_so)
