"""What an event costs: prechecks and all five judges, at 2,000 characters of context and of answer."""

import re
import time
from collections.abc import Callable

from tests.waiting import once_in_a_few_tries

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.prechecks import run_prechecks
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.judges.coherence import judge_coherence
from eval_worker.models.offline.judges.completeness import judge_completeness
from eval_worker.models.offline.judges.faithfulness import judge_faithfulness
from eval_worker.models.offline.judges.instruction import judge_instruction
from eval_worker.models.offline.judges.relevance import judge_relevance

PLACES = ("harbour", "library", "museum", "station", "market", "theatre", "garden", "bridge", "tower", "school")
MAKERS = ("Anna Berg", "the city council", "Jonas Lind", "a group of sailors", "the old guild", "Mira Holt")
LENGTH = 2_000
JUDGES = (judge_relevance, judge_faithfulness, judge_coherence, judge_completeness, judge_instruction)
REFERENCE_WORK = 0.010
"""Seconds that the fixed work below takes, about, on the machine that the 20 ms are meant for."""


def text_about(first: int, step: int) -> str:
    places = [PLACES[(first + step * n) % len(PLACES)] for n in range(40)]
    sentences = (
        f"The {place} was built in {1800 + 3 * n + first} by {MAKERS[(n + first) % len(MAKERS)]}, "
        f"and {'' if n % 3 else 'not '}everybody who came there after the {n}th winter liked its {PLACES[n % 7]}."
        for n, place in enumerate(places)
    )
    return " ".join(sentences)[:LENGTH]


def seconds_of(work: Callable[[], object]) -> float:
    """The least of a few, since another process may have had the core in between."""
    taken: list[float] = []
    for _ in range(4):
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return min(taken)


def judge_all(interaction: Interaction) -> None:
    run_prechecks(interaction, time.perf_counter_ns)
    analysis = Analysis(interaction)
    for one in analysis.cores or [analysis]:
        for judge in JUDGES:
            judge(one)


def fixed_work() -> None:
    counts: dict[str, int] = {}
    for _ in range(100):
        for word in re.findall(r"\w+", text_about(0, 3)):
            counts[word] = counts.get(word, 0) + 1


def event(number: int) -> Interaction:
    query = f"Who built the {PLACES[number]} and when? Tell me about the {PLACES[-number]}, too. Be brief."
    answer = f"{text_about(number, 3)[: LENGTH - 42]} I hope that you are well today, dear friend."
    return Interaction(query, answer[:LENGTH], text_about(number + 1, 7))


def test_an_event_of_2000_characters_takes_less_than_20_ms_of_one_core():
    events = [event(number) for number in range(1, 9)]

    def slowest_is_quick_enough() -> bool:
        slowness = max(1.0, seconds_of(fixed_work) / REFERENCE_WORK)  # of this machine, as busy as it is
        slowest = max(seconds_of(lambda one=one: judge_all(one)) for one in events)
        return slowest < 0.020 * slowness

    assert all(Analysis(one).cores for one in events), "no core: that would be half of the work"
    assert once_in_a_few_tries(slowest_is_quick_enough)
