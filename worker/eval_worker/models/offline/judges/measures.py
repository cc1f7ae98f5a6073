"""Questions for a measure ("how long", "what does it cost"), which its unit answers without a word of the question."""

import re
from functools import lru_cache

from eval_worker.models.offline.reading.quantities import ascii_digits, find_quantities

_CURRENCIES = frozenset({"dollars", "euros", "pounds", "yen", "rupees", "rubles", "yuan"})
_TIMES, _LENGTHS = frozenset({"time", "months"}), frozenset({"length"})
_ASKED = (
    (
        re.compile(
            r"\b(?:how (?:long|soon|quickly|fast)|until when|by when|(?:what(?:'s|’s| is)|when is) the deadline|"
            r"wie (?:lange|schnell)|bis wann|combien de temps|"
            r"cuánto (?:tiempo|tarda|dura)|quanto (?:tempo|dura))\b|多久|多长时间|どのくらい|いつまで",
            re.IGNORECASE,
        ),
        _TIMES,
    ),
    (
        re.compile(
            r"\b(?:how much (?:does|do|is|are|will|would|did)|costs?|price|fees?|wie ?viel kostet|was kostet|"
            r"combien coûte|cuánto cuesta|quanto costa|quanto custa)\b|多少钱|いくら",
            re.IGNORECASE,
        ),
        _CURRENCIES,
    ),
    (re.compile(r"\b(?:how (?:far|tall|high|wide|deep)|wie (?:weit|hoch|tief))\b", re.IGNORECASE), _LENGTHS),
)
_WHOM = re.compile(
    r"\b(?:who(?:m)?|where) (?:do|should|can|must|could) (?:i|we) (?:\w+ )?(?:contact|ask|call|write|e-?mail|turn|"
    r"complain|reach|report|apply)\b|\b(?:an wen|wohin|bei wem) (?:wende|schicke|melde|muss|kann|soll)|"
    r"\bà qui\b|\ba quién\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"\b(?:what time|when (?:do|does|is|are) .{1,40} (?:open|close|shut|leave|depart|start|begin|arrive)|"
    r"um wie ?viel uhr|"
    r"wann (?:öffne|schließ|fährt|fahren|beginn|start)|à quelle heure|a qué hora|a che ora|hoe laat)|几点|何時",
    re.IGNORECASE,
)
_HOUR = re.compile(
    r"\b(?:[01]?\d|2[0-4])(?:[:.h][0-5]\d|\s?(?:[ap]\.?m\b|uhr\b|h\b|o['’]clock)|点|時)|"
    r"\b(?:noon|midnight)\b",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"[\w.]@\w|https?://|\+?\d[\d ()/-]{6,}\d")
_TIME_OF_A_KIND = re.compile(
    r"\d\s+\w+[ -](?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|tage?|wochen?|jours?|semaines?|días?)\b",
    re.IGNORECASE,
)  # "88 Earth days", "5 working days"
_FREE = re.compile(r"\b(?:free|no charge|kostenlos|gratis|gratuit\w*)\b|免费|無料", re.IGNORECASE)
_SCANNED = 6000


def gives_measure(question: str, answer: str) -> bool:
    """Whether the question asks for a time, a price, a length or whom to turn to, and the answer has that."""
    if _CLOCK.search(question) and _HOUR.search(answer, 0, _SCANNED):
        return True
    if _WHOM.search(question) and _ADDRESS.search(answer, 0, _SCANNED):
        return True
    wanted = next((measures for asked, measures in _ASKED if asked.search(question)), None)
    if wanted is None:
        return False
    if wanted is _TIMES and _TIME_OF_A_KIND.search(answer, 0, _SCANNED):
        return True
    return not wanted.isdisjoint(_measured(answer[:_SCANNED])) or (
        wanted is _CURRENCIES and _FREE.search(answer, 0, _SCANNED) is not None
    )


@lru_cache(maxsize=16)  # asked once for each part of a query
def _measured(answer: str) -> frozenset[str]:
    return frozenset(one.unit.measures for one in find_quantities(ascii_digits(answer)) if one.unit)
