"""The account, for people."""

from collections import defaultdict
from statistics import median
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from tests.chaos.account import Account, Recovery

if TYPE_CHECKING:
    from tests.chaos.fleet import Exit


def show(account: Account, console: Console) -> None:
    ledger = account.ledger
    console.print(_recoveries(account))
    console.print(_exits(account))
    if slowest := [drain.unready_after for drain in account.drains if drain.unready_after is not None]:
        held = sum(drain.in_flight for drain in account.drains)
        console.print(
            f"Drains under probes: {len(account.drains)}, with {held} events in flight; unready at most "
            f"{max(slowest) * 1000:.0f} ms after SIGTERM, and alive and never ready again until the end"
        )
    console.print(f"Verdicts: {_counts(ledger.verdicts)}")
    console.print(
        f"Settled on delivery: {_counts(ledger.deliveries)} ({ledger.charged} deliveries charged, "
        f"where the faults may have cost {account.chargeable})"
    )
    console.print(f"Errors that workers logged: {_counts(account.errors_logged) or 'none'}")
    console.print(
        f"{len(ledger.expected)} events, {len(ledger.outcomes)} outcomes in {account.judged_seconds:.0f} s: "
        f"{len(ledger.lost)} lost, {len(ledger.doubled)} doubled, {len(ledger.unknown)} unknown, "
        f"{len(ledger.differing)} verdicts that differ from the calm run"
    )
    for problem in account.problems():
        console.print(f"PROBLEM: {problem}", style="bold red", markup=False)


def _recoveries(account: Account) -> Table:
    table = _table(
        "Faults, and the time until all in flight was settled", "fault", "times", "in flight", "median s", "longest s"
    )
    by_fault: defaultdict[str, list[Recovery]] = defaultdict(list)
    for recovery in account.recoveries:
        by_fault[recovery.fault].append(recovery)
    for fault, recoveries in sorted(by_fault.items()):
        seconds = [recovery.seconds for recovery in recoveries if recovery.seconds is not None]
        never = len(recoveries) - len(seconds)
        typical = f"{median(seconds):.1f}" if seconds else ""
        longest = f"{never} never" if never else f"{max(seconds):.1f}"
        in_flight = f"{median(recovery.in_flight for recovery in recoveries):g}"
        table.add_row(fault, str(len(recoveries)), in_flight, typical, longest)
    return table


def _exits(account: Account) -> Table:
    table = _table("Workers that ended", "fate", "exit code", "times", "longest s")
    kinds: defaultdict[tuple[str, int], list[Exit]] = defaultdict(list)
    for end in account.exits:
        kinds[_fate(end), end.code].append(end)
    for (fate, code), ends in sorted(kinds.items()):
        longest = max(end.seconds for end in ends)
        table.add_row(fate, str(code), str(len(ends)), f"{longest:.1f}" if ends[0].fate else "")
    return table


def _fate(end: "Exit") -> str:
    return end.fate or ("ended by itself" if end.ready else "gave up at its start")


def _table(title: str, first: str, *figures: str) -> Table:
    table = Table(first, title=title, title_justify="left")
    for figure in figures:
        table.add_column(figure, justify="right")
    return table


def _counts(counts: object) -> str:
    assert isinstance(counts, dict)
    return ", ".join(f"{name}: {count}" for name, count in counts.items())
