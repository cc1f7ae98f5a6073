"""Which callers show one of API_KEYS: what the doors over HTTP have in common."""

import hmac
from collections.abc import Collection

BEARER = "bearer"
HEADER = "X-API-Key"
HOW = f"Authorization: Bearer … or {HEADER}: …"


class ApiKeys:
    """Without any accepted key, everybody is let in."""

    def __init__(self, accepted: Collection[str]) -> None:
        self._accepted = tuple(key.encode() for key in accepted)

    def refusal(self, *, authorization: str, api_key: str) -> str | None:
        """Say what is wrong with the two headers a caller sent ("" is none); None lets it in.

        The key that was shown is not repeated.
        """
        if not self._accepted:
            return None
        shown = _shown(authorization, api_key)
        if not shown:
            return f"no API key: send one as {HOW}"
        # Of a whole list: how long it takes tells nothing of which one fits.
        matches = [hmac.compare_digest(one, key) for one in shown for key in self._accepted]
        return None if any(matches) else "the API key is none of those accepted here"


def _shown(authorization: str, api_key: str) -> list[bytes]:
    scheme, _, token = authorization.partition(" ")
    candidates = (token if scheme.lower() == BEARER else "", api_key)
    return [key.strip().encode("latin-1") for key in candidates if key.strip()]  # as the bytes came
