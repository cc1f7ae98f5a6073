"""The free checks that every answer goes through before a judge is paid: length, overlap, format."""

from collections.abc import Callable

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.prechecks import format as format_check
from eval_worker.evaluation.prechecks import length, overlap
from eval_worker.evaluation.prechecks.direct_answer import DirectAnswer
from eval_worker.evaluation.prechecks.rubbish import why_rubbish
from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction
from eval_worker.evaluation.stage import Stage

PRECHECK_NAMES = (length.NAME, overlap.NAME, format_check.NAME)


def run_prechecks(interaction: Interaction, clock_ns: Callable[[], int]) -> tuple[Stage, Stage, Stage]:
    """The three stages, in the order of the wire. What one check finds out about the words, the next one uses."""
    begun = clock_ns()
    words = WordsOfInteraction(interaction)
    direct_answer = DirectAnswer(words)
    rubbish = why_rubbish(words, direct_answer)
    length_score, length_reason = length.check_length(words, direct_answer, rubbish)
    length_done = clock_ns()
    overlap_score, overlap_reason = overlap.check_overlap(words, rubbish)
    overlap_done = clock_ns()
    format_score, format_reason = format_check.check_format(words, direct_answer, rubbish)
    format_done = clock_ns()
    return (
        Stage(length.NAME, length_score, length_reason, length_done - begun),
        Stage.not_applicable(overlap.NAME, overlap_reason, overlap_done - length_done)
        if overlap_score is None
        else Stage(overlap.NAME, overlap_score, overlap_reason, overlap_done - length_done),
        Stage(format_check.NAME, format_score, format_reason, format_done - overlap_done),
    )
