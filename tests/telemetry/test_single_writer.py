"""Our counters and histograms say what prometheus-client's own say of the same values."""

from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from eval_worker.telemetry.single_writer import SingleWriterCounter, SingleWriterHistogram

BOUNDS = (0.0, 0.00001, 0.2, 1, 30)
VALUES = st.one_of(st.floats(0, 100), st.sampled_from([float(bound) for bound in BOUNDS]))


@settings(deadline=None)  # other processes may take the time
@given(st.lists(st.tuples(st.sampled_from(["length-checker", 'odd"\n-judge']), VALUES), max_size=30))
def test_a_scrape_reads_the_same_of_a_histogram(observed: list[tuple[str, float]]):
    theirs, ours = CollectorRegistry(), CollectorRegistry()
    histogram = Histogram("eval_stage_score", "Scores given.", ["stage"], buckets=BOUNDS, registry=theirs)
    figures = SingleWriterHistogram("eval_stage_score", "Scores given.", "stage", BOUNDS, registry=ours)
    for stage, value in observed:
        histogram.labels(stage=stage).observe(value)
        figures.observe(stage, value)

    assert generate_latest(ours).decode() == _without_birth_dates(generate_latest(theirs).decode())


LABELS = st.tuples(st.sampled_from(["", "my-agent", 'odd"\\n']), st.sampled_from(["pass", "fail"]))


@settings(deadline=None)  # other processes may take the time
@given(st.lists(LABELS, max_size=30))
def test_a_scrape_reads_the_same_of_a_counter(counted: list[tuple[str, str]]):
    theirs, ours = CollectorRegistry(), CollectorRegistry()
    counter = Counter("eval_verdicts", "Results.", ["agent", "verdict"], registry=theirs)
    figures = SingleWriterCounter(
        "eval_verdicts", "Results.", ["agent", "verdict"], zeros=[("other", "review")], registry=ours
    )
    counter.labels("other", "review")
    for agent, verdict in counted:
        counter.labels(agent, verdict).inc()
        figures.begin(agent, verdict)
        figures.inc(agent, verdict)

    assert generate_latest(ours).decode() == _without_birth_dates(generate_latest(theirs).decode())


def _without_birth_dates(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if "_created" not in line)
