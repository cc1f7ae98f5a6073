"""The figures as rows of text: what the terminal and the Markdown page have in common."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eval_worker.quality.baselines import BASELINES, CONSTANT
from eval_worker.quality.measures import AUROC, PAIRS, TAU, WITHIN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ABOVE, BELOW = "↑", "↓"
_MARKS = {"above": ABOVE, "below": BELOW}
_MEASURES = {
    TAU: "tau-b",
    WITHIN: "tau-b within item",
    AUROC: "AUROC",
    PAIRS: "pairs",
}
SHOWN_BASELINES = tuple(name for name in BASELINES if name != CONSTANT)
_LABELS = {name: name.replace("_", " ").replace("rouge ", "ROUGE-").replace("-l", "-L") for name in BASELINES}
MEASURE_COLUMNS = ("data set", "judge", "figure", "n", "judge's", "95% interval")
STRONGEST = "strongest baseline"
CALIBRATION_COLUMNS = ("data set", "judge", "records", "mean error", "of the best constant", "bias", "Spearman's rho")
CONDUCT_COLUMNS = ("data set", "records", "good", "exited", "bad", "exited", "p50 ms", "p95 ms", "calls", "cost")
TEXT_COLUMNS = frozenset({"data set", "judge", "figure", "baseline", STRONGEST})
AGAINST_COLUMNS = ("baseline", "judge above", "not told apart", "judge below")


@dataclass(frozen=True, slots=True)
class Table:
    columns: "Sequence[str]"
    rows: "Sequence[Sequence[str]]"


def tables(document: "Mapping[str, Any]", *, every_baseline: bool = True) -> "tuple[Table, ...]":
    """Return those of the figures, of calibration, of early exits and costs, and of baselines beaten."""
    baselines = tuple(_LABELS[name] for name in SHOWN_BASELINES) if every_baseline else (STRONGEST,)
    return (
        Table((*MEASURE_COLUMNS, *baselines), list(_measure_rows(document, every_baseline=every_baseline))),
        Table(CALIBRATION_COLUMNS, list(_calibration_rows(document))),
        Table(CONDUCT_COLUMNS, list(_conduct_rows(document))),
        Table(AGAINST_COLUMNS, list(_against_rows(document))),
    )


def figure(value: float | None) -> str:
    """Write it without the zero that says nothing: .42, -.07, 1.00."""
    if value is None:
        return "-"
    text = f"{value:.2f}".replace("-0.00", "0.00")
    return text.replace("0.", ".", 1) if abs(value) < 1 else text


def _measure_rows(document: "Mapping[str, Any]", *, every_baseline: bool) -> Iterator[list[str]]:
    for data_set in document["data_sets"]:
        for judge in data_set["judges"]:
            for name, measure in judge["measures"].items():
                interval = measure["interval"]
                yield [
                    data_set["name"],
                    judge["judge"],
                    _MEASURES[name] + _ties(judge, name),
                    f"{measure['n']:,}",
                    figure(measure["value"]),
                    "-" if interval is None else f"{figure(interval[0])} to {figure(interval[1])}",
                    *(_baselines(measure["baselines"]) if every_baseline else [_strongest(measure["baselines"])]),
                ]


def _ties(judge: "Mapping[str, Any]", measure: str) -> str:
    ties = judge["pairs"]["ties"] if measure == PAIRS else 0
    return f", {ties:,} tie{'s' if ties > 1 else ''}" if ties else ""


def _baselines(baselines: "Mapping[str, Any]") -> list[str]:
    return [_baseline(baselines.get(name)) for name in SHOWN_BASELINES]


def _strongest(baselines: "Mapping[str, Any]") -> str:
    values = {name: baselines[name]["value"] for name in SHOWN_BASELINES if name in baselines}
    known = {name: value for name, value in values.items() if value is not None}
    if not known:
        return "-"
    name = max(known, key=known.__getitem__)
    return f"{_LABELS[name]} {_baseline(baselines[name])}"


def _baseline(baseline: "Mapping[str, Any] | None") -> str:
    if baseline is None:
        return "-"
    return figure(baseline["value"]) + _MARKS.get(baseline["finding"], "")


def _calibration_rows(document: "Mapping[str, Any]") -> Iterator[list[str]]:
    for data_set in document["data_sets"]:
        for judge in data_set["judges"]:
            if calibration := judge["calibration"]:
                errors = (calibration["mean_absolute_error"], calibration["constant_error"])
                yield [
                    data_set["name"],
                    judge["judge"],
                    f"{judge['records']['measured']:,}",
                    *map(figure, errors),
                    ("+" if calibration["bias"] > 0 else "") + figure(calibration["bias"]),
                    figure(calibration["spearman_rho"]),
                ]


def _conduct_rows(document: "Mapping[str, Any]") -> Iterator[list[str]]:
    records = sum(data_set["records"] for data_set in document["data_sets"])
    for data_set in document["data_sets"]:
        latency = data_set["latency_ms"]
        times = ["-" if latency[name] is None else f"{latency[name]:.1f}" for name in ("p50", "p95")]
        yield [data_set["name"], f"{data_set['records']:,}", *_exits(data_set), *times, *_cost(data_set["usage"])]
    if len(document["data_sets"]) > 1:
        yield ["all", f"{records:,}", *_exits(document), "-", "-", *_cost(document["usage"])]


def _exits(section: "Mapping[str, Any]") -> list[str]:
    cells: list[str] = []
    for kind in ("good", "bad"):
        exits = section["early_exits"][kind]
        share = "" if exits["share"] is None else f" ({exits['share']:.1%})"
        cells += [f"{exits['answers']:,}", f"{exits['exited']:,}{share}"]
    return cells


def _cost(usage: "Mapping[str, Any]") -> list[str]:
    cost = "-" if usage["cost_usd"] is None else f"${usage['cost_usd']:.4f}"
    return [f"{usage['llm_calls']:,}", "none" if not usage["llm_calls"] else cost]


def _against_rows(document: "Mapping[str, Any]") -> Iterator[list[str]]:
    for name, counts in document["against_baselines"].items():
        yield [_LABELS[name], *(str(counts[finding]) for finding in ("above", "not told apart", "below"))]
