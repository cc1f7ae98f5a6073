"""An announcement with nothing after it: "Sure, here is the answer:", "As an AI language model,", "Here you go!"."""

import re
from collections.abc import Sequence

from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import fold

_MOST_WORDS = 24
_FEWEST_WORDS, _LONGEST = 2, 300
_OPENERS = word_set("""
    sure certainly absolutely ok okay of yes great good thank thanks here here's heres as the my answer response i i'd
    i'll i'm let below hello hi alright right no gladly happy understood got well now so
    let's sorry apologize it it's this that final
    """)
# These open any sentence: a second word has to join them.
_COMMON = frozenset({"the", "it", "this", "that", "so", "now", "no", "yes", "of", "my"})
_NOUNS = word_set("""
    answer answers response reply result output solution explanation information details list summary text final short
    brief detailed correct course problem here sure certainly great
    """)
_NOUNS_ALONE = frozenset({"answer", "response", "reply"})  # other words announce nothing by themselves
_OF_LETTERS = re.compile(r"\b(?:drives?|disks?|floppy|letters?|which|options?|keys?|grades?)\b")
_LABELS = word_set(
    "output result reply solution summary text antwort respuesta réponse risposta resposta ответ 答案 回答"
)
_POLITE = (
    r"(?:(?:sure(?: thing)?|certainly|absolutely|of course|ok(?:ay)?|alright|yes|no problem|great|"
    r"(?:great|good|excellent|interesting) question|understood|got it|"
    r"(?:i'm |i am )?sorry(?:\W{1,3}but)?|i apologize(?:\W{1,3}but)?|"
    r"thank you(?: for (?:your|the) (?:question|asking))?|"
    r"thanks(?: for (?:your question|asking))?|gladly|hello|hi(?: there)?|well)\W+)"
)
_THING = (
    r"(?:the|your|an?|my|some|one|possible|final|short|brief|detailed|correct|requested|complete|full|"
    r"(?:two|three|four|five|few|\d+))? ?"
    r"(?:(?:final|short|brief|detailed|correct|requested|complete|full|possible) )?"
    r"(?:answer|response|reply|result|output|solution|explanation|information|details|list|summary|text|"
    r"what you (?:asked for|need|requested|wanted))s?(?: (?:to|for) (?:your|the) (?:question|query|request))?"
    r"(?: (?:below|you (?:asked for|requested|need|wanted)))?"
)
_EMPTY = re.compile(
    rf"{_POLITE}*(?:"
    rf"here(?: is|'s| are|s) {_THING}|here (?:you go|you are|it is|we go|goes)|there you (?:go|are|have it)|"
    rf"{_THING} (?:is|are)(?: as follows| below| the following| given below)?|"
    r"(?:see|please see|please find) (?:below|the (?:answer|response) below)|"
    r"(?:the )?(?:final )?(?:answer|response|reply)|"
    r"as an? (?:ai|a\.i\.|artificial intelligence|large|language)(?: (?:language |chat |assistant |powered )*"
    r"(?:model|assistant|chatbot|bot|system))?(?: (?:developed|trained|created) by \w+)?|"
    r"(?:i am|i'm) (?:just )?(?:an? )?(?:ai|artificial intelligence|large language|language)(?: language)? "
    r"(?:model|assistant)|"
    r"let's (?:get started|begin|start|dive in|go)|"
    r"(?:let me|i'll|i will|i can|i'd|i would)(?: (?:be )?(?:happy|glad|pleased|love|like|more than happy))?(?: to)? "
    r"(?:help(?: you)?(?: (?:with|out)(?: with)? (?:that|this))?|assist(?: you)?(?: with (?:that|this))?|"
    r"answer (?:that|this|your question|the question)|explain(?: (?:that|this))?|think(?: about (?:that|this|it))?)"
    r")\W*"
)
_POLITE_ALONE = re.compile(rf"{_POLITE}+")
_ABOUT_THE_MODEL = re.compile(
    r"\b(?:(?:who|what) are you|are you (?:an?|the|real|human)|yourself|who am i talking to)\b"
)
_HELP = re.compile(r"\b(?:help|assist)")
_EDGES = " \t\r\n\"'.,:;!?"
_ENDS_OPEN = (":", "：")
_CODE = re.compile(r"[`=<>{}()\[\]|;]|^\s*(?:def|class|if|elif|else|for|while|try|except|finally|with|case|default)\b")


def why_empty_phrase(words: WordsOfInteraction) -> str | None:
    sequence = words.answer.sequence
    if not sequence or len(sequence) > _MOST_WORDS:
        return None
    text = words.interaction.answer.strip()
    if len(text) > _LONGEST:
        return None
    if text.endswith(_ENDS_OPEN):
        return "announces something that does not come" if _announces(text, words) else None
    if not _may_announce(sequence):
        return None
    folded = fold(text)
    if not (_EMPTY.fullmatch(folded) or ("question" in folded and _POLITE_ALONE.fullmatch(folded))):
        return None
    return None if _is_called_for(folded, words) else "announces an answer that does not come"


def _may_announce(sequence: Sequence[str]) -> bool:
    first = sequence[0]
    if first not in _OPENERS:
        return False
    if len(sequence) == 1:
        return first in _NOUNS_ALONE
    return first not in _COMMON or not _NOUNS.isdisjoint(sequence[1:3])


def _announces(text: str, words: WordsOfInteraction) -> bool:
    """One line that ends in a colon. A line of code may, and what was asked for may be that line."""
    if "\n" in text or _CODE.search(text):
        return False
    if words.answer.count >= _FEWEST_WORDS or words.answer.sequence[0] in _OPENERS | _LABELS:
        return True
    return text == "A:" and _OF_LETTERS.search(fold(words.interaction.user_query)) is None


def _is_called_for(folded: str, words: WordsOfInteraction) -> bool:
    """An offer of help to who asks for help; a phrase that the query itself has."""
    query = fold(words.interaction.user_query)
    if _ABOUT_THE_MODEL.search(query):
        return True
    return folded.strip(_EDGES) in query or (_HELP.search(folded) is not None and _HELP.search(query) is not None)
