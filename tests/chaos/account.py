"""How a run ended, and whether it may have ended so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.chaos.fleet import Exit
from tests.chaos.ledger import Ledger
from tests.chaos.probes import Drain

LATE_SECONDS = 5.0  # that a process may need on top of DRAIN_SECONDS where all others want the machine too


@dataclass(frozen=True, slots=True)
class Recovery:
    """`seconds` from the fault's end until all that was in flight when it came was settled; None: it never was."""

    fault: str
    at: float
    lasted: float
    in_flight: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Account:
    """`left` says how many entries the event stream, and its group's pending list, still hold."""

    ledger: Ledger
    recoveries: Sequence[Recovery]
    exits: Sequence[Exit]
    drains: Sequence[Drain]
    drain_seconds: float
    left: Mapping[str, int]
    outbursts: Sequence[str]
    errors_logged: Mapping[str, int]
    read_ahead: int
    workers: int
    judged_seconds: float

    def problems(self) -> list[str]:
        """Every promise that was broken, a line each."""
        problems = self.ledger.problems()
        problems += [f"{count} entries left in {where}" for where, count in self.left.items() if count]
        problems += [problem for end in self.exits if (problem := self._wrong_exit(end))]
        problems += [problem for drain in self.drains for problem in drain.problems()]
        problems += [f"a worker logged: {event}" for event in self.errors_logged if "bug" in event]
        if self.ledger.charged > self.chargeable:
            problems.append(f"{self.ledger.charged} deliveries charged, where {self.chargeable} at most were to blame")
        problems += [f"a worker wrote what is no log line: {line}" for line in self.outbursts[:3]]
        return problems

    @property
    def chargeable(self) -> int:
        """How many deliveries the faults may have cost: what was in flight when a worker died or lost its lease.

        A model that fails on an event with nothing beside it to compare with may be charged to that event.
        """
        to_blame = [each for each in self.recoveries if each.fault == "worker killed" or "beyond" in each.fault]
        model_faults = sum("model" in each.fault for each in self.recoveries)
        poisoned = sum(end.fate == "killed by the poison event" for end in self.exits)
        return sum(each.in_flight for each in to_blame) + model_faults * self.workers + poisoned * self.read_ahead

    def _wrong_exit(self, end: Exit) -> str | None:
        match end.fate:
            case "killed" | "killed by the poison event":
                return None
            case "terminated" | "stopped at the end" if end.ready:
                if end.code != 0:
                    return f"{end.worker} left with {end.code} on SIGTERM"
                if end.seconds > self.drain_seconds + LATE_SECONDS:
                    return f"{end.worker} took {end.seconds:.1f} s to leave on SIGTERM"
                return None
            case None if end.ready:
                return f"{end.worker} ended by itself with {end.code}"
            case _:  # it never was ready: stopped, or gave up on a server that was away
                return None
