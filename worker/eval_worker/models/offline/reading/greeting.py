"""Queries that ask for nothing: greetings, thanks, how somebody is. To these courtesies are the answer."""

import re
from functools import lru_cache

from eval_worker.evaluation.text.short_answers import ASSENT_WORDS, GREETING_WORDS
from eval_worker.evaluation.text.words import Words

_GREETING = GREETING_WORDS | ASSENT_WORDS | {"there", "good", "morning", "afternoon", "evening", "day", "again", "dear"}
_MOST_OF_GREETING, _MOST_OF_THANKS = 4, 8  # words
_LONGEST = 200  # characters
_THANKS = re.compile(
    r"\W*(?:(?:ok(?:ay)?|great|perfect|super|cool)\W+)?"
    r"(?:(?:many )?thanks|thank you|thx|danke|merci|gracias|grazie)\b(?! to\b)"
    r"(?!.*\b(?:but|now|can|could|please|how|what|write|translate|reply|note|card|letter|e-?mail|message|speech)\b)",
    re.IGNORECASE,
)
_HOW_ARE_YOU = re.compile(
    r"\W*(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|hallo|bonjour|salut|hola|ciao)(?: there)?\W+)?"
    r"(?:how (?:are|r) (?:you|u|things)(?: doing| feeling)?(?: today)?|how(?:['’]s| is) (?:it going|everything|life)|"
    r"how do you do|what['’]?s up|are you (?:there|ok(?:ay)?)|(?:can|could) you help(?: me)?(?: out)?(?:,? please)?|"
    r"wie geht(?:['’]?s| es)(?: (?:dir|ihnen))?|comment (?:ça va|vas-tu|allez-vous)|ça va|qué tal|cómo estás?|"
    r"come stai)\W*",
    re.IGNORECASE,
)


@lru_cache(maxsize=64)  # several judges ask it of one query, which is short where it is one
def is_greeting(query: str) -> bool:
    if len(query) > _LONGEST:
        return False
    if _HOW_ARE_YOU.fullmatch(query):
        return True
    words = Words(query).sequence
    if 0 < len(words) <= _MOST_OF_GREETING and _GREETING.issuperset(words):
        return not GREETING_WORDS.isdisjoint(words)
    return len(words) <= _MOST_OF_THANKS and "?" not in query and _THANKS.match(query) is not None
