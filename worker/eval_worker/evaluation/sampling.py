"""Which events are judged where not all are: a share of each agent's, told by a hash of the event's id."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

TYPE_PREFIX = "type:"
OTHERS = "*"
_HASH_BYTES = 8
_HASHES = 2.0 ** (8 * _HASH_BYTES)


@dataclass(frozen=True, slots=True)
class SampleRates:
    """Shares of 0..1 by an agent's name, by its type, and of all others. The name goes before the type."""

    by_name: Mapping[str, float] = field(default_factory=dict[str, float])
    by_type: Mapping[str, float] = field(default_factory=dict[str, float])
    others: float = 1.0

    def rate_of(self, name: str | None, agent_type: str | None) -> float:
        for rates, key in ((self.by_name, name), (self.by_type, agent_type)):
            if key is not None and key in rates:
                return rates[key]
        return self.others

    def includes(self, event_id: str, name: str | None, agent_type: str | None) -> bool:
        """Whether the event is judged.

        Its id has a place between 0 and 1, the first eight bytes of its SHA-256 as a fraction, and is judged if that is
        below the rate. So the same event is decided alike in every process and at every delivery, and a higher rate
        judges what a lower one does, and more.
        """
        rate = self.rate_of(name, agent_type)
        # Scaling by a power of two is exact, and Python compares an int with a float exactly.
        return rate >= 1 or _hash_of(event_id) < rate * _HASHES


ALL_EVENTS = SampleRates()


def parse_sample_rates(text: str) -> SampleRates:
    """Read `support-bot=0.1,type:rag=0.25,*=0.5`; what is not named is judged.

    Raises:
        ValueError: naming the first bad piece.
    """
    rates: dict[str, float] = {}
    for piece in filter(None, map(str.strip, text.split(","))):
        whose, rate = _parse_piece(piece)
        if whose in rates:
            raise ValueError(f"{whose!r} has two rates")
        rates[whose] = rate
    others = rates.pop(OTHERS, 1.0)
    by_type = {key.removeprefix(TYPE_PREFIX): rates.pop(key) for key in list(rates) if key.startswith(TYPE_PREFIX)}
    return SampleRates(rates, by_type, others)


def _parse_piece(piece: str) -> tuple[str, float]:
    whose, equals, rate = piece.rpartition("=")
    whose = whose.strip()
    if whose.startswith(TYPE_PREFIX):
        whose = TYPE_PREFIX + whose.removeprefix(TYPE_PREFIX).strip()
    if not equals or whose in {"", TYPE_PREFIX}:
        raise ValueError(f"{piece!r} must be an agent's name, type:<its type> or *, then = and a rate from 0 to 1")
    try:
        share = float(rate)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ValueError(f"{piece!r} must have a rate from 0 to 1")
    return whose, share


def _hash_of(event_id: str) -> int:
    digest = hashlib.sha256(event_id.encode(errors="surrogatepass")).digest()
    return int.from_bytes(digest[:_HASH_BYTES])
