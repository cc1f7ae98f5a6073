"""The two sides of a matter that a query asks for: advantages and disadvantages, causes and effects.

Few answers name the sides. One that gives both turns from one to the other ("however"), or says how they hang together.
"""

import re
from dataclasses import dataclass

_SCANNED, _SCANNED_ANSWER = 1500, 20_000
_AND = (
    r"(?:\s*(?:,|/|&|-)\s*|\s+)(?:and|und|sowie|et|y|e|vs\.?|or|as well as)?\s*(?:the|its|their|some|any|die|den|les|"
    r"las|los)?\s*"
)
_TURN = (
    r"\b(?:however|but|although|though|while|whereas|unlike|despite|nevertheless|nonetheless|yet|still|conversely|in "
    r"contrast|by contrast|on the (?:other hand|downside|flip side)|other side|aber|allerdings|jedoch|doch|dagegen|"
    r"hingegen|während|obwohl|andererseits|trotzdem|sin embargo|pero|aunque|mientras|en cambio|no obstante|por otro "
    r"lado|por otra parte|mais|cependant|toutefois|en revanche|tandis que)\b"
)


@dataclass(frozen=True, slots=True)
class _Pair:
    """What asks for two sides, and what in an answer speaks of either. `turns`: a turn leads from one to the other."""

    asked: re.Pattern[str]
    first: re.Pattern[str]
    second: re.Pattern[str]
    turns: bool


def _pair(one: str, other: str, first: str, second: str, *, turns: bool) -> _Pair:
    asked = rf"\b(?P<one>{one})\b{_AND}(?P<other>{other})\b"
    return _Pair(*(re.compile(pattern, re.IGNORECASE) for pattern in (asked, first, second)), turns=turns)


_PAIRS = (
    _pair(
        r"advantages?|benefits?|pros?|strengths?|upsides?|vor(?=-)|vorteilen?|vorteile|stärken|ventajas|beneficios|avantages",
        r"disadvantages?|drawbacks?|cons?|contras?|weaknesses|downsides?|risks?|nachteilen?|nachteile|schwächen|"
        r"desventajas|inconvenientes|inconvénients",
        r"\b(?:advantages?|benefits?|pros|(?:an?|one|the|another|main) pro|"
        r"strengths?|upsides?|vorteil|stärke|ventaja|beneficio|avantage)",
        r"\b(?:disadvantages?|drawbacks?|cons|(?:an?|one|the|another|main) con|"
        r"contra|weakness|downsides?|risks?|limit|problem|nachteil|schwäche|desventaja|"
        r"inconvenien|inconvénien)",
        turns=True,
    ),
    _pair(
        r"causes?|reasons?|ursachen?|causas?",
        r"effects?|consequences?|results?|impacts?|folgen|auswirkungen|wirkungen?|efectos?|consecuencias?|conséquences|"
        r"effets?",
        r"\b(?:caus|because|due to|reason|triggered|arises? from|ursach|weil|verursacht|entsteh|grund|gründe|porque|"
        r"debido|provocad|se debe)",
        r"\b(?:effect|consequence|result|impact|lead|led to|thus|therefore|makes?\b|made\b|as a result|so that|hence|"
        r"folge|führ|auswirk|wirk|dadurch|efecto|consecuencia|llev|conduce|provoca\b|conséquence|effet)",
        turns=False,
    ),
    _pair(
        r"similarities|similarity|gemeinsamkeiten|ähnlichkeiten|similitudes|semejanzas|ressemblances",
        r"differences?|unterschiede?|diferencias?|différences?",
        r"\b(?:similar|both|alike|same|in common|share|gemeinsam|beide|ähnlich|similitud|semejan|amb[oa]s|comparten)",
        r"\b(?:differ|unterschie|diferen|différen|distin)|\bmore\b.{1,60}\bthan\b|\bwh(?:ile|ereas)\b",
        turns=True,
    ),
    _pair(
        r"before|vorher|vor|antes|avant",
        r"after|nachher|nach|después|despues|après",
        r"\b(?:before|vorher|zuvor|vor|antes|avant|prior|earlier|previously|former|early|initially)\b",
        r"\b(?:after|nachher|danach|nach|después|despues|après|later|afterwards|now|then|subsequently|since)\b",
        turns=False,
    ),
)
_TURNS = re.compile(_TURN, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sides:
    """`names` are the words of the query for either side; `given` says of each whether the answer has it."""

    names: tuple[str, str]
    given: tuple[bool, bool]


def sides_of(query: str, answer: str) -> Sides | None:
    """Tell which of the two sides that a query asks for its answer gives; None where it asks for no such pair."""
    for pair in _PAIRS:
        asked = pair.asked.search(query[:_SCANNED])
        if asked is not None:
            return Sides((asked["one"], asked["other"]), _given(pair, answer[:_SCANNED_ANSWER]))
    return None


def _given(pair: _Pair, answer: str) -> tuple[bool, bool]:
    """What is said and called nothing is the first side: it is the one that comes to mind."""
    first, second = pair.first.search(answer) is not None, pair.second.search(answer) is not None
    if pair.turns and _TURNS.search(answer):
        return True, True
    return (first or not second), second
