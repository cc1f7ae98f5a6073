"""What is left of an interaction without the sentences that have nothing to do with it: its core.

Whatever is slipped in to please a judge (orders in any language, praise, frames, filler) speaks of nothing that the
query and the context speak of, and is no item of a list that does. So the core of a text is the same with it and
without it, and the judges judge the core: what was left out may count against an answer, and never for it.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from eval_worker.evaluation.instructions.items import wanted_items
from eval_worker.evaluation.instructions.request import read_request
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.text.sentences import split_sentences
from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.cores.echoes import without_echoes
from eval_worker.models.offline.cores.excerpt import excerpt
from eval_worker.models.offline.cores.run_ons import with_stops
from eval_worker.models.offline.cores.ties import (
    Matter,
    speaks_of_judging,
    stems_of,
    tied,
    topic_of,
)
from eval_worker.models.offline.reading.literal import is_line_of_code
from eval_worker.models.offline.reading.requests import is_request
from eval_worker.models.offline.reading.statement import Reader, Statement
from eval_worker.models.offline.reading.vocabulary import ABOUT_JUDGING, ORDERS_TO_THE_JUDGE

_SCANNED = 400
_MOST_ALONE = 8  # sentences: with none tied to anything, each may be the answer
_WORDS_OF_ITEM = 4
_FENCE, _FENCED = "```", re.compile(r"```[^\n]*\n(.*?)```", re.DOTALL)
_ITEM = re.compile(r"[ \t]*(?:(?:[-*•]|\(?\d{1,3}[.)])[ \t]+\S|\|)")
_ASKS_FOR_REPETITION = re.compile(
    r"\b(?:repeat\w*|(?:\d+|two|three|four|five|six|ten|many) times|twice|thrice|refrain|chorus|lyrics|wiederhol\w*|"
    r"(?:\d+ ?|zwei|drei|vier|fünf|zehn)mal|répét\w+|\w+ fois|repit\w+|repet\w+|\w+ ve[cz]es|\w+ volte|\w+ раза?|"
    r"повтор\w*)\b|[三四五六十\d](?:遍|次|回|번)|重复|繰り返|반복",
    re.IGNORECASE,
)
_ASKS_TO_BE_REPEATED = re.compile(
    r"\b(?:repeat|restate|echo|copy|quote)\b.{0,40}\b(?:questions?|query|requests?|prompts?|instructions?|verbatim|"
    r"word for word)\b",
    re.IGNORECASE,
)
_MOST_ROUNDS = 5
_WORDS_OF_LEAD, _FEWEST_SAID_AGAIN = 4, 4
_WITHOUT_WORDS = re.compile(
    r"^[ \t]*(?!(?:-{3,}|_{3,}|={3,}|\*{3,}|`{3,}|\.{3}|…))([^\w\s][^\w\n]*?)[ \t]*(?:$|(?<=[.!?])[ \t])", re.MULTILINE
)
_ASKS_FOR_CODE = re.compile(
    r"\b(?:codes?|coding|programs?|functions?|scripts?|snippets?|commands?|class(?:es)?|methods?|queries|regex\w*|json|"
    r"yaml|xml|python|java\w*|typescript|rust|golang|sql|html|css|bash|shell)\b|代码|コード|코드",
    re.IGNORECASE,
)
_ENDS = tuple(".!?。！？")
_STOP, _MOST_STOPS = re.compile(r"[.!?]\s+(?=\S)"), 4
_RUN = re.compile(r"\S+")
_FEWEST_ITEMS = _FEWEST_OF_CODE = 2  # lines


def as_read(interaction: Interaction) -> Interaction:
    """The interaction with its answer's sentences told apart, and without its query quoted in it, unless asked for."""
    query, answer = interaction.user_query, with_stops(interaction.answer)
    freed = without_echoes(query, answer)
    if freed != answer and _ASKS_TO_BE_REPEATED.search(query) is None:
        answer = freed
    return interaction if answer == interaction.answer else replace(interaction, answer=answer)


def cores_of(
    interaction: Interaction, reader: Reader, *, answer: Sequence[Statement], context: Sequence[Statement]
) -> list[Interaction]:
    """Return what to judge instead of the whole: the lowest of several counts. None where all of it belongs together.

    The context is left as it is.
    """
    query, text = interaction.user_query, interaction.answer
    if _ASKS_FOR_REPETITION.search(query[:_SCANNED]) is None:
        text = said_once(text, reader)
    statements = answer if text == interaction.answer else reader.read(text)
    sentences, given = reader.read(query), stems_of(context)
    answers = _own_matter(replace(interaction, answer=text), statements, Matter(topic_of(sentences), given))
    spoken_of = given.union(*(stems_of(reader.read(one)) for one in answers))
    asked = _without_others(
        query, sentences, lambda one: not spoken_of.isdisjoint(one.stems) or _asks_for_something(one)
    )
    found = [
        replace(interaction, user_query=each, answer=one)
        for one in dict.fromkeys(answers)
        for each in dict.fromkeys((asked, query))
    ]
    return [] if found == [interaction] else found


def _asks_for_something(one: Statement) -> bool:
    if ORDERS_TO_THE_JUDGE.search(one.text[:_SCANNED]) or not ABOUT_JUDGING.isdisjoint(one.stems):
        return False
    return one.is_question or is_request(one.text)


def said_once(text: str, reader: Reader) -> str:
    """The text without what it says again word for word, but for lines of code."""
    once = _one_round(text)
    everything = {one.words for one in reader.read(once)}
    said: set[tuple[str, ...]] = set()

    def is_new(sentence: str) -> bool:
        statement = reader.read_sentence(sentence)
        again = said_before(statement, said) is not None or _led_up_to(statement.words, everything) is not None
        if again and not is_line_of_code(sentence):
            return False
        said.add(statement.words)
        return True

    shortened = excerpt(once, is_new)
    return once if shortened == once.strip() else shortened


def said_before(one: Statement, said: Container[tuple[str, ...]]) -> tuple[str, ...] | None:
    """Return the words of the sentence among those said that this one says again, if with more around it.

    A full stop behind an initial ends no sentence, so that what is run on stands in the same: "J. Great work!". A few
    words may lead up to what is said again: "In other words: …".
    """
    if one.words in said:
        return one.words
    if (again := _led_up_to(one.words, said)) is not None:
        return again
    for stop in islice(_STOP.finditer(one.text), _MOST_STOPS):
        size = len(Words(one.text[: stop.start()]).sequence)
        if one.words[:size] in said:
            return one.words[:size]
    return None


def _led_up_to(words: tuple[str, ...], said: Container[tuple[str, ...]]) -> tuple[str, ...] | None:
    leads = range(1, min(_WORDS_OF_LEAD, len(words) - _FEWEST_SAID_AGAIN) + 1)
    return next((words[size:] for size in leads if words[size:] in said), None)


def runs_on(one: Statement, said: Container[tuple[str, ...]]) -> bool:
    """Whether it says again what was said, and then more."""
    again = said_before(one, said)
    return again is not None and len(again) < len(one.words)


def _one_round(text: str) -> str:
    """The text that is said over and over; the whole of it where none is."""
    words = text.split()
    for rounds in range(2, _MOST_ROUNDS + 1):
        size, rest = divmod(len(words), rounds)
        if size and not rest and words == words[:size] * rounds:
            return text[: next(islice(_RUN.finditer(text), size - 1, None)).end()].lstrip()
    return text


def _own_matter(interaction: Interaction, answer: Sequence[Statement], matter: Matter) -> list[str]:
    """What is tied to the query and the context; where nothing is, whatever may be the answer."""
    text = interaction.answer
    lists = list(_lists(text))
    belonging = tied(answer, matter)
    if belonging and _FENCE in text:
        code = _fenced_code(interaction, {answer[place].text for place in belonging})
        belonging.update(place for place, one in enumerate(answer) if one.text in code)
    belonging = _with_items(belonging, answer, lists)
    if belonging:
        return [_of(text, [answer[place] for place in belonging])]
    listed = {sentence for one in lists for sentence in (*one.items, one.lead)}
    items = [one for one in answer if one.text in listed and not speaks_of_judging(one)]
    if not items and wanted_items(read_request(interaction.user_query).orders) is not None:
        items = [one for one in answer if len(one.words) <= _WORDS_OF_ITEM and not speaks_of_judging(one)]
    if items:
        return [_of(text, items)]
    return _untied(text, answer)


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
            code.update(line for line in block if is_line_of_code(line) or not line.endswith(_ENDS))
    return code


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


@dataclass(frozen=True, slots=True)
class _List:
    """Sentences of marked lines that stand together, and the line that introduces them, if one does."""

    lead: str | None
    items: tuple[str, ...]


def _lists(text: str) -> Iterator[_List]:
    lead: str | None = None
    items: list[list[str]] = []
    for line in [*text.split("\n"), "."]:
        if _ITEM.match(line):
            items.extend(filter(None, [split_sentences(line)]))
        elif line.strip():
            if len(items) >= _FEWEST_ITEMS:
                yield _List(lead, _sentences_of(items))
            items = []
            lead = (split_sentences(line) or [None])[-1] if line.rstrip().endswith((":", "：")) else None


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
