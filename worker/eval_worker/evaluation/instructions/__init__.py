"""The explicit instructions of a query that code can check, each with how well the answer keeps it."""

from collections.abc import Callable, Iterator

from eval_worker.evaluation.instructions.check import Check
from eval_worker.evaluation.instructions.closed_answers import check_closed_answers
from eval_worker.evaluation.instructions.examples import check_examples
from eval_worker.evaluation.instructions.items import check_items
from eval_worker.evaluation.instructions.language import check_language
from eval_worker.evaluation.instructions.layout import check_layout
from eval_worker.evaluation.instructions.lengths import check_lengths
from eval_worker.evaluation.instructions.letter_case import check_letters
from eval_worker.evaluation.instructions.opening_and_closing import check_opening_and_closing
from eval_worker.evaluation.instructions.order import check_order
from eval_worker.evaluation.instructions.request import read_request
from eval_worker.evaluation.instructions.terms import check_terms
from eval_worker.evaluation.instructions.tone import check_tone

__all__ = ["Check", "verify_instructions"]

_FAMILIES: tuple[Callable[[str, str], Iterator[Check]], ...] = (
    check_items,
    check_lengths,
    check_layout,
    check_closed_answers,
    check_language,
    check_letters,
    check_opening_and_closing,
    check_terms,
    check_order,
    check_tone,
    check_examples,
)


def verify_instructions(query: str, answer: str) -> tuple[Check, ...]:
    """Check what the query says of the form of its answer; empty where it says nothing that code can check.

    Precision goes before recall: what may be material to work on, or only spoken of, is no instruction.
    """
    orders = read_request(query).orders
    return tuple(check for family in _FAMILIES for check in family(orders, answer))
