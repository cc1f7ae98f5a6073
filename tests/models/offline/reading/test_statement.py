"""Sentences as the offline judges see them."""

from eval_worker.evaluation.interaction import Interaction
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.reading.statement import Reader


def test_a_sentence_that_comes_again_is_not_read_again():
    reader = Reader()
    first, second = reader.read("The lamp is lit. The lamp is lit.")

    assert first is second
    assert reader.read("Nobody came. The lamp is lit.")[1] is first


def test_what_is_left_of_an_answer_is_not_read_again():
    query = "Who lit the lamp in the tower?"
    whole = Analysis(
        Interaction(query, "Anna lit the lamp. Cheese is made of milk.", "Anna lit the lamp in the tower.")
    )
    read = {id(one) for one in whole.answer}
    (core, *_) = whole.cores

    assert [one.text for one in core.answer] == ["Anna lit the lamp."]
    assert all(id(one) in read for one in core.answer)
    assert core.context is whole.context
