"""The query quoted within an answer: `You asked: …`, `Regarding your question "…", …`, `Q: … A: …`.

Whatever is quoted so has all the words that were asked about, and answers nothing.
"""

import re

_FEWEST, _SOME, _MANY = 3, 5, 12  # words: the more, the less they stand there by chance
_WORDS_COMPARED, _LONGEST = 3, 4000  # words; characters of a query
_MOST_FOUND = 8
_WORDS_OF_LEAD = 5
_OPENS, _CLOSES = "\"'“‘«»„「『(>:*`", "\"'”’»«“」』)*`"
_LEAD = re.compile(rf"(?:^|(?<=[.!?。！？\n]))[^.!?。！？\n]*?[{re.escape(_OPENS)} \t]*$")
_ENDS = "?!.。？！ \t\n"
_QUOTES_AND_STOPS = re.escape("\"'“”„«»?!.。？！,;:-")
_LABEL = re.compile(
    r"(?:^|\s)(?:q|question|query|prompt|user|human|a|answer|assistant|ai|"
    r"(?:you|the user|i was) asked|(?:your|the) (?:question|query) (?:is|was)|"
    r"(?:regarding|as for|about) your question)\s*[:.]?\s*$",
    re.IGNORECASE,
)
_LABEL_BEHIND = re.compile(r"(?:a|answer|response|reply|assistant|ai)\s*:\s*", re.IGNORECASE)
_STOPS = "?!.。？！,;\n" + _CLOSES


def without_echoes(query: str, answer: str) -> str:
    """Return the answer without the query where that stands in it word for word, and without what leads up to it.

    A line break stands for it. The answer as it is where it says nothing else, or the query is too short to tell.
    """
    words = query[:_LONGEST].strip().strip(_ENDS + _OPENS + _CLOSES).split()
    if len(words) < _FEWEST or len(answer) < len(query) // 2 or len(query) > _LONGEST:
        return answer
    if words[0].casefold() not in (lowered := answer.casefold()) or words[-1].casefold() not in lowered:
        return answer
    head = _pattern(words[:_WORDS_COMPARED])
    if head.search(answer) is None:
        return answer
    again = re.compile(rf"(?<!\w){_once(words)}(?:[\s{_QUOTES_AND_STOPS}]+{_once(words)})*(?!\w)", re.IGNORECASE)
    return _cut(answer, again, len(words))


def _pattern(words: list[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){_once(words)}(?!\w)", re.IGNORECASE)


def _once(words: list[str]) -> str:
    return r"\s+".join(map(re.escape, words))


def _cut(answer: str, query: re.Pattern[str], size: int) -> str:
    pieces: list[str] = []
    begun = 0
    for found in list(query.finditer(answer))[:_MOST_FOUND]:
        before, behind = answer[begun : found.start()], answer[found.end() :]
        if _is_mentioned(before, behind) or (
            size < _MANY and not _is_set_apart(before, found.group(), behind, quoted_is_enough=size >= _SOME)
        ):
            continue
        pieces.append(_without_label(before) if _runs_on(before, found.group()) else _without_lead(before))
        begun = found.end() + len(behind) - len(behind.lstrip(_STOPS + " \t"))
        label = _LABEL_BEHIND.match(answer, begun)
        begun = label.end() if label else begun
    if not pieces:
        return answer
    rest = "\n".join((*pieces, answer[begun:])).strip()
    return rest if any(map(str.isalnum, rest)) else answer


def _is_mentioned(before: str, behind: str) -> bool:
    """Whether a sentence goes on around it: "There is nothing on "…" in the manual"."""
    lead = _LEAD.search(before)
    return (
        lead is not None and len(lead.group().split()) > _WORDS_OF_LEAD and behind.lstrip(_CLOSES + "?! ")[:1].islower()
    )


def _is_set_apart(before: str, echo: str, behind: str, *, quoted_is_enough: bool) -> bool:
    """Not so in "The capital of France is Paris.", which has the words of a query for "capital of France"."""
    opened = before.rstrip(" \t")[-1:]
    ended = not behind or behind.lstrip(" \t")[:1] in _STOPS
    if quoted_is_enough and ((opened and opened in _OPENS) or (ended and _runs_on(before, echo))):
        return True
    return (not opened or opened in _OPENS or opened in _ENDS) and ended


def _runs_on(before: str, echo: str) -> bool:
    """Whether the query stands behind a text without its full stop: "Herring What did the king eat?"."""
    opened = before.rstrip(" \t")[-1:]
    return echo[0].isupper() and bool(opened) and opened not in _OPENS and opened not in _ENDS


def _without_lead(before: str) -> str:
    lead, bare = _LEAD.search(before), _without_label(before)
    if lead is None or len(lead.group().split()) > _WORDS_OF_LEAD or len(bare) < len(before.rstrip(_OPENS + " \t")):
        return bare
    return before[: lead.start()]


def _without_label(before: str) -> str:
    return _LABEL.sub("", before).rstrip(_OPENS + " \t")
