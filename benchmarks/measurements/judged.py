"""How fast one worker judges against a provider, beside what the provider's latency and boto3 allow."""

from collections.abc import Callable, Iterator, Mapping

from benchmarks.bench import Bench
from benchmarks.events import judged as judged_event
from benchmarks.figures import Figure, Samples, Target, Throughput
from benchmarks.processes import WORKER, fake_bedrock, running, throughput_of
from benchmarks.streams import Span

NAME = "judged"
LATENCY_SECONDS = 0.5
IN_FLIGHT = 64
CALLS_AN_EVENT = 5
_DEFAULT_IN_FLIGHT = 16
_FASTEST = 2_000  # events/s that nothing in here exceeds
_THREADS = (4, 8, 16, 32, 64)
_TRIAL_SECONDS = 1.0
_RAW_CONNECTIONS = 16


def judged(bench: Bench) -> Iterator[Figure]:
    """Judge with a slow provider, then with one that answers at once."""
    yield _with_a_slow_provider(bench)
    yield from _with_an_instant_provider(bench)


def _with_a_slow_provider(bench: Bench) -> Figure:
    """The ideal is IN_FLIGHT events / latency."""
    with fake_bedrock(LATENCY_SECONDS) as fake:
        measure = judging_slowly(bench, {**fake.environment(), "CONCURRENCY": str(IN_FLIGHT)})
        what = f"judged, a call takes {LATENCY_SECONDS * 1000:.0f} ms, {IN_FLIGHT} events in flight"
        (ours,) = bench.throughputs("events", [(what, measure)])
    ideal = IN_FLIGHT / LATENCY_SECONDS
    beside = Samples("events in flight / latency", "events/s", (ideal,) * len(ours.values))
    return Figure(NAME, ours.a_second, beside, Target.at_least_ratio(0.95))


def _with_an_instant_provider(bench: Bench) -> Iterator[Figure]:
    seconds = bench.effort.seconds
    count = int(_FASTEST * seconds)
    span = Span(warm_up=4 * IN_FLIGHT, last=count, seconds=seconds)
    with fake_bedrock(0) as fake:
        bedrock = fake.environment()
        threads = _best_number_of_threads(bench, bedrock)
        ours = [
            (f"judged, calls take 0 ms, {number} events in flight", _calls(judging(bench, span, count, environment)))
            for number in (IN_FLIGHT, _DEFAULT_IN_FLIGHT)
            for environment in [{**bedrock, "CONCURRENCY": str(number)}]
        ]
        beside = [
            (f"{threads} bare boto3 threads", lambda: converse_rate(threads, seconds, bedrock)),
            ("the fake Bedrock itself, asked over sockets", lambda: _raw_rate(fake.url, seconds)),
        ]
        many, few, boto, raw = bench.throughputs("calls", ours + beside)
    yield Figure(NAME, many.a_second, boto.a_second, Target.at_least_ratio(0.7))
    yield Figure(NAME, many.a_processor_second, boto.a_processor_second)
    yield Figure(NAME, few.a_second, boto.a_second)
    yield Figure(NAME, boto.a_second, raw.a_second)


def judging_slowly(bench: Bench, environment: Mapping[str, str]) -> Callable[[], Throughput]:
    """Do so where a call takes LATENCY_SECONDS: whole waves are counted, since events in flight end together."""
    warm_up = 2 * IN_FLIGHT
    waves = max(round(bench.effort.seconds / LATENCY_SECONDS), 2)
    span = Span(warm_up, warm_up + waves * IN_FLIGHT)
    return judging(bench, span, count=span.last + warm_up, environment=environment)


def judging(bench: Bench, span: Span, count: int, environment: Mapping[str, str]) -> Callable[[], Throughput]:
    """Return what measures the events a second that a worker judges in that span."""

    def measure() -> Throughput:
        bench.streams.lay_out(bench.streams.preload(judged_event, count))
        with running(WORKER, REDIS_URL=bench.server.url, **environment) as worker:
            return bench.streams.throughput(span, worker)

    return measure


def converse_rate(threads: int, seconds: float, environment: Mapping[str, str]) -> Throughput:
    """Return the calls a second of so many bare boto3 threads in one process."""
    arguments = ("-m", "benchmarks.limits.converse_threads", str(threads), str(seconds))
    return throughput_of(arguments, **environment)


def _best_number_of_threads(bench: Bench, environment: Mapping[str, str]) -> int:
    seconds = min(_TRIAL_SECONDS, bench.effort.seconds)
    rates = {threads: converse_rate(threads, seconds, environment).a_second for threads in _THREADS}
    for threads, rate in rates.items():
        bench.announce(f"  tried {threads} bare boto3 threads: {rate:,.0f} calls/s")
    return max(rates, key=rates.__getitem__)


def _raw_rate(url: str, seconds: float) -> Throughput:
    return throughput_of(
        ("-m", "benchmarks.limits.http_requests", "converse", url, str(_RAW_CONNECTIONS), str(seconds))
    )


def _calls(measure: Callable[[], Throughput]) -> Callable[[], Throughput]:
    return lambda: measure() * CALLS_AN_EVENT
