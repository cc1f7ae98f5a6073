"""The figures for people, on stderr beside the JSON on stdout."""

from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from eval_worker.console.counted import counted
from eval_worker.console.terminal import VERDICT_STYLES, printable
from eval_worker.validation.labels import SCALE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from eval_worker.validation.annotation import BadRecord

NARROWEST = 100  # a pipe has no width of its own


def error_console() -> Console:
    console = Console(stderr=True, markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        console.width = NARROWEST
    return console


def print_bad(console: Console, what: str, bad: "Sequence[BadRecord]") -> None:
    """List every record that is left out: none may vanish."""
    for record in bad:
        console.print(Text(printable(f"{what} {record.number}: {record.problem}")), soft_wrap=True)


def print_figures(console: Console, document: "Mapping[str, Any]") -> None:
    console.print(Group(_headline(document), _confusion(document["confusion_matrix"]), _judges(document["per_judge"])))
    for name, section in (
        ("thresholds", document["suggested_thresholds"]),
        ("comparison", document["comparison"]),
    ):
        if section:
            _print_sentence(console, Text.assemble((f"{name}: ", "bold"), section["interpretation"]))
    for line in _notes(document):
        _print_sentence(console, Text(printable(line), style="yellow"))
    verdict = ("passed", "bold green") if document["passed"] else ("not passed", "bold red")
    _print_sentence(console, Text.assemble(verdict, ": ", document["interpretation"]))


def _print_sentence(console: Console, sentence: Text) -> None:
    """Print it on one line where a program may look for it."""
    console.print(sentence, soft_wrap=not console.is_terminal)


def _headline(document: "Mapping[str, Any]") -> Table:
    figures = Table.grid(padding=(0, 2, 0, 0))
    figures.add_column(style="dim")
    figures.add_column(justify="right")
    figures.add_column(style="dim")
    agreed = f"{document['agreement_count']:,} of {document['total_records']:,} records"
    figures.add_row("agreement", _share(document["agreement_rate"]), agreed)
    figures.add_row("Kendall's tau-b", figure(document["kendall_tau"]), _interval(document["kendall_tau_interval"]))
    figures.add_row(
        "weighted kappa", figure(document["weighted_kappa"]), _interval(document["weighted_kappa_interval"])
    )
    figures.add_row("tau-b of confidence", figure(document["confidence_kendall_tau"]), "against the human labels")
    figures.add_row("judged by", "", Text(printable(_judged_by(document))))
    return figures


def _confusion(matrix: "Mapping[str, Mapping[str, int]]") -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    table.add_column("human \\ verdict", no_wrap=True)
    labels = [label.value for label in reversed(SCALE)]
    for label in labels:
        table.add_column(Text(label, style=VERDICT_STYLES[label]), justify="right")
    for human in labels:
        cells = [Text(f"{matrix[human][label]:,}", style="bold" if label == human else "") for label in labels]
        table.add_row(Text(human, style=VERDICT_STYLES[human]), *cells)
    return table


def _judges(per_judge: "Mapping[str, Mapping[str, Any]]") -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    table.add_column("judge", overflow="fold")
    for name in ("tau-b", "records", "mean error", "bias", "mean score"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("against", no_wrap=True)
    for judge, each in per_judge.items():
        numbers = (figure(each["mean_absolute_error"]), _signed(each["bias"]), figure(each["mean_score"]))
        against = each["against"].replace("_", " ")
        table.add_row(Text(printable(judge)), figure(each["kendall_tau"]), f"{each['n']:,}", *numbers, against)
    return table


def _notes(document: "Mapping[str, Any]") -> list[str]:
    left_out = document["left_out"]
    notes = [
        f"left out: {what}"
        for name, what in (
            ("bad_records", counted(left_out["bad_records"], "bad record")),
            ("without_verdict", f"{counted(left_out['without_verdict'], 'record')} without a verdict"),
            ("bad_results", f"{counted(left_out['bad_results'], 'bad line')} of --results"),
        )
        if left_out[name]
    ]
    if from_scores := document["labels_from_scores"]:
        are = "is" if from_scores == 1 else "are"
        notes.append(f"{counted(from_scores, 'human label')} {are} made of human scores: nobody gave one")
    unused = document["unused_human_scores"].items()
    return notes + [
        f"{counted(count, 'human score')} of {name!r}, a judge that scored nothing" for name, count in unused
    ]


def _judged_by(document: "Mapping[str, Any]") -> str:
    by = document["judged_by"]
    if document["model"] is None:
        return f"{len(by)} models or sets of judges: see judged_by" if by else "nobody"
    digest = document["judges_digest"]
    return f"{document['model']}, judges {digest[:19] if digest else 'of several digests'}"


def figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+.2f}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"


def _interval(interval: "Sequence[float] | None") -> str:
    return "no interval" if interval is None else f"95% interval {interval[0]:.2f} to {interval[1]:.2f}"
