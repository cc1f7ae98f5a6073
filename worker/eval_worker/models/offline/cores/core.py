"""What is left of an interaction without the sentences that have nothing to do with it: its core.

Whatever is slipped in to please a judge (orders in any language, praise, frames, filler) speaks of nothing that the
query and the context speak of, and is no item of a list that does. So the core of a text is the same with it and
without it, and the judges judge the core: what was left out may count against an answer, and never for it, but where a
form was asked for that the whole has to have.

An answer without a word of its matter may be about it all the same: its telling sentences are a core if they are kin.

What only a weak tie keeps in the core may be filler as well. So the core's firm part is judged too, alone, and the
lowest score counts: a sentence that is not firm makes no other one firm, so adding it raises nothing.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from eval_worker.evaluation.instructions.examples import OPENS_EXAMPLE
from eval_worker.evaluation.instructions.items import listed_in, wanted_items
from eval_worker.evaluation.instructions.request import read_request
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.text.multiple_choice import options_of
from eval_worker.evaluation.text.sentences import LIST_MARK, split_sentences
from eval_worker.models.offline.cores.beside import is_amid_items
from eval_worker.models.offline.cores.excerpt import excerpt
from eval_worker.models.offline.cores.joins import ENDS
from eval_worker.models.offline.cores.kinship import kin_to
from eval_worker.models.offline.cores.mentions import mentions_in
from eval_worker.models.offline.cores.said_again import said_once
from eval_worker.models.offline.cores.ties import (
    Matter,
    firmly_tied,
    is_telling,
    speaks_of_judging,
    stems_of,
    stems_of_all,
    tied,
    topic_of,
)
from eval_worker.models.offline.reading.literal import is_line_of_code
from eval_worker.models.offline.reading.requests import find_requests, is_request
from eval_worker.models.offline.reading.statement import Reader, Statement
from eval_worker.models.offline.reading.vocabulary import (
    ABOUT_JUDGING,
    EMPTY_WORDS,
    ORDERS_TO_THE_JUDGE,
    PLEASANTRIES,
    SAYS_OF_ITSELF,
    SMALL_TALK,
)

_SCANNED = 400
_SAID_BESIDE = PLEASANTRIES | EMPTY_WORDS | SMALL_TALK | SAYS_OF_ITSELF
_MOST_ALONE = 8  # sentences: with none tied to anything, each may be the answer
_WORDS_OF_ITEM = 4
_FENCE, _FENCED = "```", re.compile(r"```[^\n]*\n(.*?)```", re.DOTALL)
_ITEM = re.compile(rf"[ \t]*(?:{LIST_MARK}[ \t]+\S|\|)")
_HEADING = re.compile(r"[ \t]*(?:#{1,6}[ \t]+\S|\*\*[^*\n]+\*\*[ \t]*$)")
_ASKS_FOR_REPETITION = re.compile(
    r"\b(?:repeat\w*|(?:\d+|two|three|four|five|six|ten|many) times|twice|thrice|refrain|chorus|lyrics|wiederhol\w*|"
    r"(?:\d+ ?|zwei|drei|vier|fünf|zehn)mal|répét\w+|\w+ fois|repit\w+|repet\w+|\w+ ve[cz]es|\w+ volte|\w+ раза?|"
    r"повтор\w*)\b|[三四五六十\d](?:遍|次|回|번)|重复|繰り返|반복",
    re.IGNORECASE,
)
_WITHOUT_WORDS = re.compile(
    r"^[ \t]*(?!(?:-{3,}|_{3,}|={3,}|\*{3,}|`{3,}|\.{3}|…))([^\w\s][^\w\n]*?)[ \t]*(?:$|(?<=[.!?])[ \t])", re.MULTILINE
)
_ASKS_FOR_CODE = re.compile(
    r"\b(?:codes?|coding|programs?|functions?|scripts?|snippets?|commands?|class(?:es)?|methods?|queries|regex\w*|json|"
    r"yaml|xml|python|java\w*|typescript|rust|golang|sql|html|css|bash|shell)\b|代码|コード|코드",
    re.IGNORECASE,
)
_FEWEST_ITEMS = _FEWEST_OF_CODE = 2  # lines


@dataclass(frozen=True, slots=True)
class _List:
    """Sentences of marked lines that stand together, and the line that introduces them, if one does."""

    lead: str | None
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cores:
    """What to judge instead of the whole; the lowest counts.

    `beside` are judged with what else stands in the whole, which may count against them, and never for them: without it
    they would get no less. `alone` is the firm part, if that is less than those.
    """

    beside: list[Interaction]
    alone: Interaction | None = None


def cores_of(
    interaction: Interaction, reader: Reader, *, answer: Sequence[Statement], context: Sequence[Statement]
) -> Cores:
    """Return no core where all of it belongs together. The context is left as it is."""
    query, text = interaction.user_query, interaction.answer
    if _ASKS_FOR_REPETITION.search(query[:_SCANNED]) is None:
        text = said_once(text, reader)
    statements = answer if text == interaction.answer else reader.read(text)
    sentences, given = reader.read(query), stems_of(context)
    matter = Matter(topic_of(sentences), given)
    text, alone = _without_mentions(text, statements, matter, stems_of_all(sentences))
    statements = statements if text == interaction.answer else reader.read(text)
    once = replace(interaction, answer=text)
    lists = list(_lists(text)) or _unmarked_list(query, statements)
    firm = firmly_tied(statements, matter)
    related = tied(statements, matter) if firm else _tied_or_kin(statements, matter)
    answers = [*_own_matter(once, statements, related, lists), *alone]
    spoken_of = given.union(*(stems_of(reader.read(one)) for one in answers))
    asked = _what_is_asked(query, sentences, spoken_of)
    found = [
        replace(interaction, user_query=each, answer=one)
        for one in dict.fromkeys(answers)
        for each in dict.fromkeys((asked, query))
    ]
    firm = _with_company(firm, once, statements, lists)
    firmly = replace(interaction, answer=_of(text, [statements[place] for place in firm])) if firm else interaction
    if found == [firmly] == [interaction]:
        return Cores([])
    return Cores(found, firmly if firmly not in (interaction, *found) else None)


def _what_is_asked(query: str, sentences: Sequence[Statement], spoken_of: frozenset[str]) -> str:
    """The query without sentences that neither ask for anything nor are spoken of; all of it where none asks.

    What is left of such a query may be no more than the material that it gives. Options belong together.
    """
    asking = {one.text for one in sentences if _asks_for_something(one)}
    if not asking or options_of(query):
        return query
    return _without_others(query, sentences, lambda one: one.text in asking or not spoken_of.isdisjoint(one.stems))


def _asks_for_something(one: Statement) -> bool:
    if ORDERS_TO_THE_JUDGE.search(one.text[:_SCANNED]) or not ABOUT_JUDGING.isdisjoint(one.stems):
        return False
    return one.is_question or is_request(one.text)


def _without_mentions(
    text: str, statements: Sequence[Statement], matter: Matter, asked: frozenset[str]
) -> tuple[str, list[str]]:
    """The text without sentences that only name what is asked about, and what else is judged alone.

    Beside others that speak of it they go. Where none does, they may be the answer as well as the others.
    """
    listed = {one for each in _lists(text) for one in (each.lead, *each.items)}
    mentions = mentions_in(statements, matter, asked)
    own = [
        one
        for place, one in enumerate(statements)
        if place not in mentions or one.text in listed or is_line_of_code(one.text)
    ]
    if len(own) == len(statements) or len(statements) == 1:
        return text, []
    if _tied_or_kin(own, matter):
        return _of(text, own), []
    return text, _untied(_of(text, own), own) if own else [one.text for one in statements]


def _tied_or_kin(answer: Sequence[Statement], matter: Matter) -> set[int]:
    return tied(answer, matter) | kin_to(answer, matter)


def _own_matter(
    interaction: Interaction, answer: Sequence[Statement], related: set[int], lists: Sequence[_List]
) -> list[str]:
    """What is tied to the query and the context; where nothing is, whatever may be the answer."""
    text = interaction.answer
    belonging = _with_company(related, interaction, answer, lists)
    if belonging:
        return [_of(text, [answer[place] for place in belonging])]
    telling = {one.text for one in answer if is_telling(one)}
    whole = [
        _of(text, [one for one in answer if one.text in {*each.items, each.lead}])
        for each in lists
        if not telling.isdisjoint(each.items)
    ]
    if not whole and wanted_items(read_request(interaction.user_query).orders) is not None:
        items = _unmarked_items(answer)
        whole = [_of(text, items)] if items else []
    return whole or _untied(text, answer)


def _unmarked_items(answer: Sequence[Statement]) -> list[Statement]:
    """The few words on each line, none of which ends as a sentence does beside some that do not."""
    items = ((place, one) for place, one in enumerate(answer) if _is_item(one))
    short = [one for place, one in items if is_amid_items(answer, place) or not _says_nothing(one)]
    return [one for one in short if one.text[-1] not in ENDS] or short


def _says_nothing(one: Statement) -> bool:
    """Whether it speaks to the judge or only pleases, so that it is no item of a list: "Wow, amazing topic!".

    A lone word may be one: "Faithful".
    """
    if len(one.words) == 1 and one.text[-1] not in ENDS:
        return False
    return speaks_of_judging(one) or (bool(one.stems) and _SAID_BESIDE.issuperset(one.stems))


def _is_item(one: Statement) -> bool:
    """A few words, or a row of such; no label."""
    if one.text.endswith((":", "：")):
        return False
    if len(one.words) <= _WORDS_OF_ITEM:
        return True
    row = listed_in(one.text)
    return len(row) > _FEWEST_ITEMS and all(len(part.split()) <= _WORDS_OF_ITEM for part in row)


def _with_company(
    found: set[int], interaction: Interaction, answer: Sequence[Statement], lists: Sequence[_List]
) -> set[int]:
    """With the examples that follow them, the code that they show, and the items of their lists."""
    if any(one.wants_examples for one in find_requests(interaction.user_query)):
        for place, one in enumerate(answer):
            if place - 1 in found and OPENS_EXAMPLE.match(one.text) and not speaks_of_judging(one):
                found = found | {place}
    if found and _FENCE in interaction.answer:
        code = _fenced_code(interaction, {answer[place].text for place in found})
        found = found | {place for place, one in enumerate(answer) if one.text in code}
    found = found | _code_around(found, answer)
    return _with_items(found, answer, lists)


def _fenced_code(interaction: Interaction, tied_texts: Container[str]) -> set[str]:
    """What stands in fences and is code: a fence makes none of prose, nor code around a sentence.

    It belongs where the query asks for code, or a sentence that belongs leads up to it or stands in it.
    """
    text = interaction.answer
    is_asked_for = _ASKS_FOR_CODE.search(interaction.user_query[:_SCANNED]) is not None
    code: set[str] = set()
    for fenced in _FENCED.finditer(text):
        block = split_sentences(fenced[1])
        lead = split_sentences(text[max(0, fenced.start() - _SCANNED) : fenced.start()].rstrip())[-1:]
        led = bool(lead) and lead[0].endswith((":", "：")) and lead[0] in tied_texts
        belongs = is_asked_for or led or any(line in tied_texts for line in block)
        if belongs and sum(map(is_line_of_code, block)) * 2 >= len(block):
            code.update(line for line in block if is_line_of_code(line) or line[-1] not in ENDS)
    return code


def _code_around(found: set[int], answer: Sequence[Statement]) -> set[int]:
    """The lines of code above and below those that belong, up to a sentence."""
    lines = {place for place, one in enumerate(answer) if is_line_of_code(one.text)} if found else set[int]()
    around = found & lines
    new = set(around)
    while new:
        new = {near for place in new for near in (place - 1, place + 1) if near in lines} - around
        around |= new
    return around


def _untied(text: str, answer: Sequence[Statement]) -> list[str]:
    """Each sentence alone, but for code: any of them may be the answer, and any may be filler.

    More sentences are more of what counts by its lowest, so to add some can earn nothing.
    """
    if sum(is_line_of_code(one.text) for one in answer) >= max(_FEWEST_OF_CODE, len(answer) / 2):
        return [_of(text, [one for one in answer if is_line_of_code(one.text)])]
    alone = [one.text for one in sorted(answer, key=lambda one: len(one.stems))[:_MOST_ALONE]]
    return [*alone, *islice(_WITHOUT_WORDS.findall(text), 1)]


def _of(text: str, statements: Iterable[Statement]) -> str:
    return _without_others(text, statements, lambda _one: True)


def _lists(text: str) -> Iterator[_List]:
    """A list ends where another kind of mark begins, unless they take turns, as points and their details do."""
    lead: str | None = None
    items: list[list[str]] = []
    marks: list[bool] = []
    for line in [*text.split("\n"), "."]:
        item = _ITEM.match(line)
        numbered = item is not None and item[0].strip(" \t(")[:1].isdigit()
        begins_anew = len(marks) >= _FEWEST_ITEMS and len(set(marks)) == 1 and marks[0] != numbered
        if not (item or line.strip()):
            continue
        if (item is None or begins_anew) and len(items) >= _FEWEST_ITEMS:
            yield _List(lead, _sentences_of(items))
        if item is None or begins_anew:
            items, marks, lead = [], [], None
        if item:
            items.extend(filter(None, [split_sentences(line)]))
            marks.append(numbered)
        elif line.rstrip().endswith((":", "：")) or _HEADING.match(line):
            lead = (split_sentences(line) or [None])[-1]


def _unmarked_list(query: str, answer: Sequence[Statement]) -> list[_List]:
    """Nothing but a few words each, where the query wants a number of things: "AWS", "Azure", "Google Cloud"."""
    items = _unmarked_items(answer)
    said = sum(not _says_nothing(one) for one in answer)
    if len(items) < max(_FEWEST_ITEMS, said) or wanted_items(read_request(query).orders) is None:
        return []
    return [_List(None, tuple(one.text for one in items))]


def _sentences_of(items: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """All of them where the list is of such form; where few items have more than one, what follows there is no item."""
    explained = sum(len(sentences) > 1 for sentences in items)
    if 2 * explained >= len(items) and explained > 1:
        return tuple(chain.from_iterable(items))
    return tuple(sentences[0] for sentences in items)


def _with_items(belonging: set[int], answer: Sequence[Statement], lists: Iterable[_List]) -> set[int]:
    """The items belong where the line that introduces them does, or one of them does."""
    texts = {answer[position].text for position in belonging}
    joined: set[str] = set()
    for one in lists:
        if one.lead in texts or any(item in texts for item in one.items):
            joined.update(one.items)
    return belonging | {
        position for position, one in enumerate(answer) if one.text in joined and not speaks_of_judging(one)
    }


def _without_others(text: str, statements: Iterable[Statement], belongs: Callable[[Statement], bool]) -> str:
    """The text without the sentences that do not belong, its layout kept; all of it if none does."""
    kept = {one.text for one in statements if belongs(one)}
    shortened = excerpt(text, kept.__contains__) if kept else text
    return text if shortened == text.strip() else shortened
