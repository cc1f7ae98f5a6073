"""One file a measurement; each yields the figures that it found."""

from collections.abc import Callable, Iterator, Mapping

from benchmarks.bench import Bench
from benchmarks.figures import Figure
from benchmarks.measurements.drain import drain
from benchmarks.measurements.idle import idle
from benchmarks.measurements.judged import judged
from benchmarks.measurements.latency import latency
from benchmarks.measurements.memory import memory
from benchmarks.measurements.partitions import partitions
from benchmarks.measurements.peers import peers
from benchmarks.measurements.scale import scale
from benchmarks.measurements.start import start
from benchmarks.measurements.throttled import throttled

Measurement = Callable[[Bench], Iterator[Figure]]

MEASUREMENTS: Mapping[str, Measurement] = {
    "drain": drain,
    "judged": judged,
    "latency": latency,
    "throttled": throttled,
    "memory": memory,
    "idle": idle,
    "start": start,
    "scale": scale,
}

# This one starts a cluster, and its figures are on a page of their own.
WITH_CLUSTER: Mapping[str, Measurement] = {"partitions": partitions}

# These install what they measure, so they have to be asked for.
WITH_INSTALLATION: Mapping[str, Measurement] = {"peers": peers}

ALL: Mapping[str, Measurement] = {**MEASUREMENTS, **WITH_CLUSTER, **WITH_INSTALLATION}
