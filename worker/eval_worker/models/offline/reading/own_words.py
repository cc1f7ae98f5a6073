"""What is rightly said in words that no context has: that it lacks something, and what was asked for in other words."""

import re

_SCANNED = 2000
_LACKS = re.compile(
    r"\b(?:does|do|did)(?:n['’]t| not) (?:\w+ )?(?:say|mention|specify|state|contain|include|cover|list|address|"
    r"indicate|provide|tell)\b|"
    r"\b(?:is|are|was|were)(?:n['’]t| not) (?:\w+ )?(?:mentioned|specified|stated|listed|covered|included|provided|"
    r"available|given)\b|"
    r"\bno (?:information|mention|details?|indication)\b|\b(?:couldn't|could not|can't|cannot|didn't) find\b|"
    r"\bkeine (?:angaben?|informationen)\b|\bnicht (?:erwähnt|angegeben|enthalten)\b|"
    r"\bne (?:mentionne|précise|contient) pas\b|\baucune information\b|"
    r"\bno (?:menciona|indica|contiene|hay información)\b|没有提|未提|没有说明|記載(?:されて|が)|書かれて(?:い)?ま",
    re.IGNORECASE,
)
_OTHER_WORDS = re.compile(
    r"\b(?:plain|simpl\w+|easy) (?:language|words|terms|english|way)\b|\bsimplif\w+|\b(?:layman|lay person|eli5)|"
    r"\b\d{1,2}[- ]years?[- ]olds?\b|\b(?:a|for) (?:child|kids|beginners?|novice)\b|\brewrite\b|\brephrase\b|"
    r"\bin your own words\b|"
    r"\b(?:write|draft|compose)\b.{0,40}\b(?:reply|response|answer|letter|e-?mail|tweet|post|poem|story)\b|"
    r"\b(?:einfache[rn]?|leichte[rn]?) (?:sprache|worten)\b|\bfür (?:kinder|laien)\b|\bmots simples\b|"
    r"\bpalabras sencillas\b|通俗|简单的话|わかりやすく|簡単な言葉",
    re.IGNORECASE,
)


def says_that_it_lacks(answer: str) -> bool:
    """Whether it says of a text that something is not in it: "The menu doesn't mention …"."""
    return _LACKS.search(answer, 0, _SCANNED) is not None


def asks_for_other_words(query: str) -> bool:
    """Whether the words of the text that is given are not the ones wanted: it is to be put simply, or replied to."""
    return _OTHER_WORDS.search(query, 0, _SCANNED) is not None
