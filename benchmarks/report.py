"""The figures as a table on a terminal, as Markdown and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.figures import Figure, Samples, Target

COLUMNS = ("measured", "median (range)", "beside", "median (range)", "ratio (range)", "wanted")
_LEFT = {"measured", "beside"}


def markdown(figures: Sequence[Figure], about: Mapping[str, str], command: str) -> str:
    """The table of a measurement, and what it was made with."""
    made = "; ".join(f"{name} {value}" for name, value in about.items())
    return f"{_table(figures)}\n`{command}`: {made}.\n"


def plain(figure: Figure) -> str:
    """One line for a person who waits."""
    measured, median, beside, other, ratio, wanted = cells(figure)
    line = f"{measured}: {median}; {beside}: {other}"
    return f"{line}; ratio {ratio}{f', wanted {wanted}' if wanted else ''}"


def document(figures: Sequence[Figure], about: Mapping[str, str], command: str) -> dict[str, Any]:
    """Every sample, for whoever wants to look closer."""
    return {"command": command, "machine": dict(about), "figures": [_as_json(figure) for figure in figures]}


def cells(figure: Figure) -> tuple[str, ...]:
    """Return the figure's row: what is measured and its median, the same of what is beside, the ratio, the target."""
    ratios = figure.ratios
    return (
        figure.ours.what,
        _spread(figure.ours),
        figure.beside.what,
        _spread(figure.beside),
        _spread(ratios) if ratios else "–",
        _target(figure.target, figure),
    )


def _table(figures: Sequence[Figure]) -> str:
    dashes = ["---" if column in _LEFT else "--:" for column in COLUMNS]
    rows: Iterator[Sequence[str]] = iter((COLUMNS, dashes, *map(cells, figures)))
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in rows)


def _spread(samples: Samples) -> str:
    low, high = samples.range
    unit = f" {samples.unit}" if samples.unit else ""
    if low == high:
        return f"{_number(low)}{unit}"
    return f"{_number(samples.median)}{unit} ({_number(low)} to {_number(high)})"


def _number(value: float) -> str:
    """Three digits are more than such figures are exact to."""
    if abs(value) >= 100:  # noqa: PLR2004 (three digits)
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:#.3g}".rstrip(".")


def _target(target: Target | None, figure: Figure) -> str:
    if target is None:
        return ""
    unit = "" if target.of_ratio or not figure.ours.unit else f" {figure.ours.unit}"
    reached = {True: "yes", False: "no", None: "unknown"}[figure.reached]
    return f"{'≥' if target.at_least else '≤'} {target.bound:g}{unit}: {reached}"


def _as_json(figure: Figure) -> dict[str, Any]:
    return {
        "measurement": figure.measurement,
        "ours": _samples_as_json(figure.ours),
        "beside": _samples_as_json(figure.beside),
        "ratios": list(figure.ratios.values) if figure.ratios else None,
        "wanted": _target(figure.target, figure) or None,
    }


def _samples_as_json(samples: Samples) -> dict[str, Any]:
    return {"what": samples.what, "unit": samples.unit, "values": list(samples.values), "median": samples.median}
