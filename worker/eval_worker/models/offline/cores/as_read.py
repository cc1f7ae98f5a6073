"""An answer as it is read: without markup around it, run-on sentences told apart, and without the query quoted."""

import re
from dataclasses import replace

from eval_worker.evaluation.interaction import Interaction
from eval_worker.models.offline.cores.beside import is_said_beside
from eval_worker.models.offline.cores.echoes import without_echoes
from eval_worker.models.offline.cores.joins import ENDS
from eval_worker.models.offline.cores.markup import without_markup
from eval_worker.models.offline.cores.padding import (
    is_no_more_than_the_query,
    may_hold_padding,
    paddings,
)
from eval_worker.models.offline.cores.run_ons import told_apart
from eval_worker.models.offline.cores.ties import Matter, stems_of, stems_of_all, ties_to, topic_of
from eval_worker.models.offline.reading.statement import Reader, Statement

_ASKS_TO_BE_REPEATED = re.compile(
    r"\b(?:repeat|restate|echo|copy|quote)\b.{0,40}\b(?:questions?|query|requests?|prompts?|instructions?|verbatim|"
    r"word for word)\b",
    re.IGNORECASE,
)
_WORDS_OF_SENTENCE = 6  # no name has so many


def as_read(interaction: Interaction, reader: Reader) -> Interaction:
    """The interaction with its answer's sentences told apart, and without its query quoted in it, unless asked for."""
    query = interaction.user_query
    answer = without_markup(query, interaction.answer)
    answer = _with_run_ons_cut(replace(interaction, answer=answer), reader)
    freed = without_echoes(query, answer)
    if freed != answer and _ASKS_TO_BE_REPEATED.search(query) is None:
        known = reader.read(query), reader.read(interaction.context)
        answer = query if is_no_more_than_the_query(reader.read(freed), *known) else freed
    return interaction if answer == interaction.answer else replace(interaction, answer=answer)


def _with_run_ons_cut(interaction: Interaction, reader: Reader) -> str:
    sentences, context = reader.read(interaction.user_query), reader.read(interaction.context)
    is_tied = ties_to(Matter(topic_of(sentences), stems_of(context)))
    asked, is_padding = stems_of_all(sentences), paddings(sentences, context)

    def is_said_to_please(one: Statement) -> bool:
        is_sentence = one.text.lstrip("¡¿")[:1].isupper() and one.text[-1] in ENDS
        is_remark = one.text[0] in "([" and one.text[-1] in ")]"
        is_long = one.text[0].isupper() and len(one.words) >= _WORDS_OF_SENTENCE
        beside = (is_sentence or is_remark or is_long) and is_said_beside(one, asked)
        return beside or is_padding(one)

    return told_apart(
        interaction.answer,
        reader,
        is_tied=is_tied,
        is_padding=is_said_to_please,
        may_hold_padding=lambda one: may_hold_padding(one, asked),
    )
