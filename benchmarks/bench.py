"""What every measurement is given: a server, its streams, and how long and how often to measure."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from benchmarks.figures import Samples, Throughput, Throughputs, in_turns
from benchmarks.server import benchmark_server, client_of
from benchmarks.streams import DATABASE_ASIDE, WORKING_DATABASE, Streams
from eval_worker.embedded import EmbeddedServer

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Effort:
    """`seconds` a sample, `repeat` samples of everything; `quick` shrinks what else takes long, for the tests."""

    seconds: float = 3.0
    repeat: int = 5
    quick: bool = False


@dataclass(frozen=True, slots=True)
class Bench:
    """Stays for the whole run; `announce` tells a person who waits how it goes."""

    server: EmbeddedServer
    streams: Streams
    effort: Effort
    announce: Callable[[str], None]

    def throughputs(self, noun: str, measures: Sequence[tuple[str, Callable[[], Throughput]]]) -> list[Throughputs]:
        """Measure all of them by turns; returns what each did, in the order given."""
        rows = self._in_turns(measures)
        return [Throughputs(what, noun, values) for (what, _), values in zip(measures, rows, strict=True)]

    def samples(self, unit: str, measures: Sequence[tuple[str, Callable[[], float]]]) -> list[Samples]:
        """Do the same for what is one number in that unit."""
        rows = self._in_turns(measures)
        return [Samples(what, unit, values) for (what, _), values in zip(measures, rows, strict=True)]

    def _in_turns(self, measures: Sequence[tuple[str, Callable[[], T]]]) -> list[tuple[T, ...]]:
        return in_turns(self.effort.repeat, [self._announced(what, measure) for what, measure in measures])

    def _announced(self, what: str, measure: Callable[[], T]) -> Callable[[], T]:
        def announced() -> T:
            value = measure()
            self.announce(f"  {what}: {f'{value:,.4g}' if isinstance(value, float) else value}")
            return value

        return announced


@contextmanager
def opened(effort: Effort, announce: Callable[[str], None]) -> Generator[Bench]:
    """Start the server."""
    with (
        benchmark_server() as server,
        client_of(server, WORKING_DATABASE) as client,
        client_of(server, DATABASE_ASIDE) as aside,
    ):
        yield Bench(server, Streams(client, aside), effort, announce)
