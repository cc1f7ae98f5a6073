"""Answers that are no answers: placeholders, echoes, loops, error messages and the like. One file a kind.

A finding makes every check 0, so that the answer exits whatever its length. When unsure, nothing is found: telling a
poor answer from a good one is the judges' work. Every kind begins with a test of a microsecond at most that a plain
answer does not pass, since each event pays for it.
"""

from eval_worker.evaluation.prechecks.direct_answer import DirectAnswer
from eval_worker.evaluation.prechecks.rubbish.assent import why_assent
from eval_worker.evaluation.prechecks.rubbish.cut_off import why_cut_off
from eval_worker.evaluation.prechecks.rubbish.echo import why_echo
from eval_worker.evaluation.prechecks.rubbish.empty_phrase import why_empty_phrase
from eval_worker.evaluation.prechecks.rubbish.error_message import why_error_message
from eval_worker.evaluation.prechecks.rubbish.foreign_script import why_foreign_script
from eval_worker.evaluation.prechecks.rubbish.garbled import why_garbled
from eval_worker.evaluation.prechecks.rubbish.loop import why_loop
from eval_worker.evaluation.prechecks.rubbish.placeholder import why_placeholder
from eval_worker.evaluation.prechecks.rubbish.sentinel import why_sentinel
from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction


def why_rubbish(words: WordsOfInteraction, direct_answer: DirectAnswer) -> str | None:
    """What is wrong with the answer, as the predicate of a sentence about it; None for one that a judge should see."""
    return (
        why_placeholder(words, direct_answer)
        or why_sentinel(words)
        or why_echo(words)
        or why_empty_phrase(words)
        or why_assent(words, direct_answer)
        or why_cut_off(words)
        or why_error_message(words)
        or why_loop(words)
        or why_garbled(words)
        or why_foreign_script(words)
    )
