"""AWS Signature Version 4 for requests that are all alike: a POST of bytes to an address without a query.

The algorithm is AWS' own (IAM User Guide, "Create a signed AWS API request"). botocore has it for requests of any kind
and takes five times as long.
"""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple, Protocol
from urllib.parse import SplitResult, quote, urlsplit

from botocore.auth import SIGNED_HEADERS_BLACKLIST
from botocore.utils import normalize_url_path  # pyright: ignore[reportUnknownVariableType]  # botocore ships no types

_ALGORITHM = "AWS4-HMAC-SHA256"
_DEFAULT_PORTS = {"http": 80, "https": 443}
_NEVER_SIGNED = frozenset(SIGNED_HEADERS_BLACKLIST)  # proxies and libraries change these on the way


class Credentials(Protocol):
    """As botocore freezes them; those that expire have a token."""

    @property
    def access_key(self) -> str: ...

    @property
    def secret_key(self) -> str: ...

    @property
    def token(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Scope:
    """What a signature is good for, beside its day."""

    region: str
    service: str

    def on(self, day: str) -> str:
        return f"{day}/{self.region}/{self.service}/aws4_request"


class _Address(NamedTuple):
    host: str
    canonical_path: str


def signed(
    credentials: Credentials, scope: Scope, *, url: str, headers: Mapping[str, str], body: bytes, at: datetime
) -> dict[str, str]:
    """Return the headers with those of the signature. `at` is the time in UTC; AWS takes it for five minutes."""
    address = _address(url)
    moment = at.strftime("%Y%m%dT%H%M%SZ")
    sent = {**headers, "X-Amz-Date": moment}
    if credentials.token:
        sent["X-Amz-Security-Token"] = credentials.token
    covered = {name.lower(): " ".join(value.split()) for name, value in sent.items()}
    covered = {name: covered[name] for name in covered.keys() - _NEVER_SIGNED} | {"host": address.host}
    names = ";".join(sorted(covered))
    lines = "".join(f"{name}:{covered[name]}\n" for name in sorted(covered))
    request = f"POST\n{address.canonical_path}\n\n{lines}\n{names}\n{sha256(body).hexdigest()}"

    good_for = scope.on(moment[:8])
    to_sign = f"{_ALGORITHM}\n{moment}\n{good_for}\n{sha256(request.encode()).hexdigest()}"
    signature = hmac.digest(_key(credentials.secret_key, good_for), to_sign.encode(), sha256).hex()
    credential = f"{credentials.access_key}/{good_for}"
    sent["Authorization"] = f"{_ALGORITHM} Credential={credential}, SignedHeaders={names}, Signature={signature}"
    return sent


def host_of(url: str) -> str:
    """Return the Host that the signature of a request to this address covers."""
    return _address(url).host


@lru_cache(maxsize=2)  # of today, and around midnight of yesterday
def _key(secret: str, good_for: str) -> bytes:
    key = f"AWS4{secret}".encode()
    for part in good_for.split("/"):
        key = hmac.digest(key, part.encode(), sha256)
    return key


@lru_cache(maxsize=256)  # one for each model
def _address(url: str) -> _Address:
    parts = urlsplit(url)
    return _Address(_host(parts), quote(normalize_url_path(parts.path), safe="/~"))


def _host(parts: SplitResult) -> str:
    name = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    return name if parts.port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f"{name}:{parts.port}"
