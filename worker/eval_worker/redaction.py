"""Takes secrets out of texts that others wrote: replies of servers, exceptions of libraries.

Our own words need none of this, they are written without secrets.
"""

import re
from collections.abc import Callable, Collection

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
    re.compile(r"(?<=://)[^\s'\"]*@"),
    re.compile(r"(?i)\bwith args beginning with:.*"),  # how Redis refuses a command: AUTH has the password there
)


def without_secrets(text: str, known: Collection[str] = ()) -> str:
    """Hide the known secrets, and what has the shape of one."""
    for secret in sorted(known, key=len, reverse=True):  # one may be part of another
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, _HIDDEN)
    for shape in _LOOKS_SECRET:
        text = shape.sub(_HIDDEN, text)
    return text
