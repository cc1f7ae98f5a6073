"""What is left of an interaction without the sentences that have nothing to do with it.

Whatever is slipped in to please a judge (orders in any language, praise, frames, filler) speaks of nothing that the
query, the context and the rest of the answer speak of, and is no item of a list that does. It may cost, and it must not
help: so the offline model judges an interaction as it is and its cores too, and the lowest score counts.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from eval_worker.evaluation.instructions.items import wanted_items
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.prechecks.direct_answer import why_direct
from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction
from eval_worker.evaluation.text.sentences import split_sentences
from eval_worker.evaluation.text.short_answers import is_refusal
from eval_worker.evaluation.text.words import fold
from eval_worker.models.offline.cores.excerpt import excerpt
from eval_worker.models.offline.reading.literal import is_line_of_code
from eval_worker.models.offline.reading.requests import is_request
from eval_worker.models.offline.reading.statement import Reader, Statement
from eval_worker.models.offline.reading.vocabulary import ABOUT_JUDGING, ORDERS_TO_THE_JUDGE, REFERS_BACK, REQUEST_WORDS

_SCANNED = 400
_MOST_ALONE, _MOST_TRIED = 8, 40
_FEW = 3  # sentences: with none linked to anything, each may be the answer
_ITEM = re.compile(r"[ \t]*(?:[-*•]|\(?\d{1,3}[.)])[ \t]+\S")
_ASKS_FOR_REPETITION = re.compile(
    r"\b(?:repeat\w*|(?:\d+|two|three|four|five|six|ten|many) times|twice|thrice|refrain|chorus|lyrics|wiederhol\w*|"
    r"(?:\d+ ?|zwei|drei|vier|fünf|zehn)mal|répét\w+|\w+ fois|repit\w+|repet\w+|\w+ ve[cz]es|\w+ volte|\w+ раза?|"
    r"повтор\w*)\b|[三四五六十\d](?:遍|次|回|번)|重复|繰り返|반복",
    re.IGNORECASE,
)
_MOST_ROUNDS = 5
_RUN = re.compile(r"\S+")
_FEWEST_ITEMS = 2
_LINKED_ITEMS = 3  # one in so many makes the others belong

Stems = frozenset[str]


def cores_of(
    interaction: Interaction, reader: Reader, *, answer: Sequence[Statement], context: Sequence[Statement]
) -> list[Interaction]:
    """Return what to judge besides the whole; nothing where all belongs together. The context is left as it is."""
    given = stems_of(context)
    spoken_of = given | stems_of(answer)
    query = interaction.user_query
    asked = _without_others(
        query, reader.read(query), lambda one: not spoken_of.isdisjoint(one.stems) or _asks_for_something(one)
    )
    known = topic_of(reader.read(asked)) | given
    answers = _answers(Interaction(asked, interaction.answer, interaction.context), answer, known, reader)
    if asked != query:
        answers.append(interaction.answer)
    found = [Interaction(asked, text, interaction.context) for text in dict.fromkeys(answers)]
    return [core for core in found if core != interaction]


def linked(statements: Sequence[Statement], known: Stems) -> set[int]:
    """Return the positions of those that speak of what is known, or of what such a one speaks of, and so on.

    A refusal belongs to whatever was asked, and a sentence that refers back to what stands before it.
    """
    speakers: dict[str, list[int]] = {}
    for position, one in enumerate(statements):
        for stem in one.subjects:
            speakers.setdefault(stem, []).append(position)
    found = {n for stem in known for n in speakers.pop(stem, ())}
    found |= {n for n, one in enumerate(statements) if is_refusal(fold(one.text[:_SCANNED]))}
    referring = [n for n, one in enumerate(statements) if _refers_back(one)]
    new = list(found)
    while new:
        for stem in statements[new.pop()].subjects:
            fresh = [n for n in speakers.pop(stem, ()) if n not in found]
            found.update(fresh)
            new.extend(fresh)
        if not new:
            first = min(found)
            while referring and referring[-1] > first:
                position = referring.pop()
                if position not in found:
                    found.add(position)
                    new.append(position)
    return found


def stems_of(statements: Iterable[Statement]) -> Stems:
    return frozenset[str]().union(*(one.subjects for one in statements))


def topic_of(statements: Iterable[Statement]) -> Stems:
    """Stems that a query is about, as opposed to how it wants its answer."""
    return frozenset(stem for one in statements for stem in one.subjects if one.surface[stem] not in REQUEST_WORDS)


def _refers_back(one: Statement) -> bool:
    return REFERS_BACK.match(one.text) is not None and ABOUT_JUDGING.isdisjoint(one.stems)


def _asks_for_something(one: Statement) -> bool:
    if ORDERS_TO_THE_JUDGE.search(one.text[:_SCANNED]) or not ABOUT_JUDGING.isdisjoint(one.stems):
        return False
    return one.is_question or is_request(one.text)


def _answers(interaction: Interaction, answer: Sequence[Statement], known: Stems, reader: Reader) -> list[str]:
    """The answer's own matter; where it says things twice, all of it said once, and the own matter of that."""
    if _ASKS_FOR_REPETITION.search(interaction.user_query[:_SCANNED]) is None:
        text = _one_round(interaction.answer)
        statements = answer if text == interaction.answer else reader.read(text)
        once = _without_others(text, statements, lambda _one: True, once=True)
        if once != interaction.answer:
            return [text, once, *_own_matter(replace(interaction, answer=once), statements, known)]
    return _own_matter(interaction, answer, known)


def _one_round(text: str) -> str:
    """The text that is said over and over; the whole of it where none is."""
    words = text.split()
    for rounds in range(2, _MOST_ROUNDS + 1):
        size, rest = divmod(len(words), rounds)
        if size and not rest and words == words[:size] * rounds:
            return text[: next(islice(_RUN.finditer(text), size - 1, None)).end()].lstrip()
    return text


def _own_matter(interaction: Interaction, answer: Sequence[Statement], known: Stems) -> list[str]:
    """What is linked to the query. Where nothing is: each part that would be an answer by itself."""
    lists = list(_lists(interaction.answer))
    belonging = _with_items(linked(answer, known), answer, lists)
    if belonging:
        return [_without_others(interaction.answer, [answer[n] for n in sorted(belonging)], lambda _one: True)]
    if wanted_items(interaction.user_query) is None and not lists:
        texts = list(dict.fromkeys(one.text for one in answer))[:_MOST_TRIED]
        alone = (
            texts if len(texts) <= _FEW else [text for text in texts if _is_direct(replace(interaction, answer=text))]
        )
        if alone:
            return alone[:_MOST_ALONE]
    return [_without_others(interaction.answer, answer, lambda one: ABOUT_JUDGING.isdisjoint(one.stems))]


@dataclass(frozen=True, slots=True)
class _List:
    """Sentences of marked lines that stand together, and the line that introduces them, if one does."""

    lead: str | None
    items: tuple[str, ...]


def _lists(text: str) -> Iterator[_List]:
    lead: str | None = None
    items: list[str] = []
    for line in [*text.split("\n"), "."]:
        if _ITEM.match(line):
            items.extend(split_sentences(line))
        elif line.strip():
            if len(items) >= _FEWEST_ITEMS:
                yield _List(lead, tuple(items))
            items = []
            lead = (split_sentences(line) or [None])[-1] if line.rstrip().endswith((":", "：")) else None


def _with_items(belonging: set[int], answer: Sequence[Statement], lists: Iterable[_List]) -> set[int]:
    """The items belong where the line that introduces them does, or enough of them do."""
    texts = {answer[position].text for position in belonging}
    joined: set[str] = set()
    for one in lists:
        if one.lead in texts or sum(item in texts for item in one.items) * _LINKED_ITEMS >= len(one.items):
            joined.update(one.items)
    return belonging | {
        position for position, one in enumerate(answer) if one.text in joined and ABOUT_JUDGING.isdisjoint(one.stems)
    }


def _is_direct(interaction: Interaction) -> bool:
    return why_direct(WordsOfInteraction(interaction)) is not None


def _without_others(
    text: str, statements: Iterable[Statement], belongs: Callable[[Statement], bool], *, once: bool = False
) -> str:
    """The text without the sentences that do not belong, its layout kept; all of it if none does.

    `once`: and without what it says again word for word, but for lines of code.
    """
    kept = {one.text for one in statements if belongs(one)}
    said: set[str] = set()

    def keeps(sentence: str) -> bool:
        again = once and sentence in said and not is_line_of_code(sentence)
        said.add(sentence)
        return sentence in kept and not again

    shortened = excerpt(text, keeps) if kept else text
    return text if shortened == text.strip() else shortened
