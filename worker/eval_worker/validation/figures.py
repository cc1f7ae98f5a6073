"""The report's plots as SVG to stand inside a page, in the page's own colours, light or dark."""

# pyright: reportUnknownMemberType=false
# matplotlib's own types leave open what its **kwargs are.

import io
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from eval_worker.console.terminal import printable

LABELS = ("pass", "review", "fail")

_Distribution = Mapping[str, Sequence[float]]

# Plots are drawn in these colours, and the page's variables put in their place: it knows whether it is dark.
_COLOURS = {
    "ink": "#010101",
    "faint": "#020202",
    "accent": "#030303",
    "pass": "#040404",
    "review": "#050505",
    "fail": "#060606",
}
_STYLE: Any = {
    "svg.fonttype": "none",  # text stays text: to be read aloud, searched and shown in the page's font
    "text.parse_math": False,  # a judge may be called $x$
    "font.size": 11,
    "text.color": _COLOURS["ink"],
    "axes.labelcolor": _COLOURS["ink"],
    "axes.edgecolor": _COLOURS["faint"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": _COLOURS["ink"],
    "ytick.color": _COLOURS["ink"],
}
_FAINTEST, _STRONGEST = 0.06, 0.7
_GROUP_WIDTH = 0.78


def confusion_plot(matrix: Mapping[str, Mapping[str, int]]) -> str:
    """Draw a cell for each human label and verdict, the darker the larger its share of the row."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(4.6, 3.9), layout="constrained")
        axes: Axes = figure.subplots()
        for row, human in enumerate(reversed(LABELS)):
            total = sum(matrix[human].values())
            for column, verdict in enumerate(LABELS):
                _cell(axes, column, row, matrix[human][verdict], total)
        axes.set(xlim=(-0.5, 2.5), ylim=(-0.5, 2.5), xlabel="verdict", ylabel="human label")
        axes.set_xticks(range(3), LABELS)
        axes.set_yticks(range(3), tuple(reversed(LABELS)))
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        return _svg(figure, "confusion", "Confusion matrix: " + _matrix_in_words(matrix))


def calibration_plot(bins: Sequence[Mapping[str, Any]], thresholds: Mapping[str, float]) -> str:
    """Draw the share that people passed over the confidence, and beneath it how many records each point stands for."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(5.6, 3.9), layout="constrained")
        shares, counts = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
        filled = [each for each in bins if each["records"]]
        at = [each["mean_confidence"] for each in filled]
        shares.plot(at, [each["human_pass_share"] for each in filled], marker="o", color=_COLOURS["accent"])
        for name, threshold in thresholds.items():
            shares.axvline(threshold, color=_COLOURS[name], linestyle="--", linewidth=1.2)
            shares.text(threshold, 1.09, f"{name} above {threshold:g}", ha="center", fontsize=9)
        shares.set(ylim=(-0.05, 1.05), ylabel="passed by people")
        shares.set_yticks((0, 0.5, 1), ("0%", "50%", "100%"))
        for each in bins:
            counts.bar((each["low"] + each["high"]) / 2, each["records"], width=0.09, color=_COLOURS["faint"])
        counts.set(xlim=(0, 1), xlabel="confidence", ylabel="records")
        counts.locator_params(axis="y", nbins=3, integer=True)
        return _svg(figure, "calibration", "Calibration: " + _calibration_in_words(filled))


def distribution_plot(confidence: _Distribution, judges: Mapping[str, _Distribution]) -> str:
    """Draw a box for each human label, from the least to the greatest: of the confidence and of each judge's scores."""
    groups = [("confidence", confidence), *judges.items()]
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(max(6.0, 1.75 * len(groups)), 3.6), layout="constrained")
        axes: Axes = figure.subplots()
        for place, (_, by_label) in enumerate(groups):
            for offset, label in enumerate(LABELS):
                if label in by_label:
                    _box(axes, place + (offset - 1) * _GROUP_WIDTH / 3, by_label[label], label)
        axes.axvline(0.5, color=_COLOURS["faint"], linewidth=0.8)
        axes.set(ylim=(-0.04, 1.04), ylabel="score", xlim=(-0.6, len(groups) - 0.4))
        axes.set_xticks(range(len(groups)), [_short(name) for name, _ in groups])
        for label in LABELS:
            axes.plot([], [], color=_COLOURS[label], linewidth=7, alpha=_STRONGEST, label=f"human: {label}")
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, frameon=False, fontsize=10)
        return _svg(figure, "distributions", "Scores by human label: " + _medians_in_words(groups))


def _cell(axes: Axes, column: int, row: int, count: int, total: int) -> None:
    share = count / total if total else 0.0
    alpha = _FAINTEST + share * (_STRONGEST - _FAINTEST)
    axes.add_patch(Rectangle((column - 0.47, row - 0.47), 0.94, 0.94, color=_COLOURS["accent"], alpha=alpha, lw=0))
    axes.text(column, row + 0.08, f"{count:,}", ha="center", va="center", fontsize=15)
    if total:
        axes.text(column, row - 0.22, f"{share:.0%}", ha="center", va="center", fontsize=9)


def _box(axes: Axes, at: float, summary: Sequence[float], label: str) -> None:
    least, lower, median, upper, greatest = summary
    colour = _COLOURS[label]
    width = _GROUP_WIDTH / 3 * 0.8
    axes.vlines(at, least, greatest, color=colour, linewidth=1.4)
    axes.add_patch(Rectangle((at - width / 2, lower), width, upper - lower, color=colour, alpha=_STRONGEST, lw=0))
    axes.hlines(median, at - width / 2, at + width / 2, color=colour, linewidth=3)


def _svg(figure: Figure, name: str, description: str) -> str:
    """Render a figure; `name` keeps its ids apart from those of the other plots of the page."""
    buffer = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": name}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # the page's font has it
        figure.savefig(
            buffer, format="svg", transparent=True, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type"))
        )
    drawing = buffer.getvalue()
    drawing = drawing[drawing.index("<svg") :]
    drawing = re.sub(r'\bid="([\w.]+_\d+)"', rf'id="{name}-\1"', drawing)
    for variable, colour in _COLOURS.items():
        drawing = drawing.replace(colour, f"var(--{variable})")
    drawing = re.sub(r"font: ([^;\"']*?)(\d[\d.]*px) [^;\"]*", r"font-size: \2", drawing)
    return drawing.replace("<svg", f'<svg role="img" aria-label="{_attribute(description)}"', 1)


def _attribute(text: str) -> str:
    return printable(text).replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def _matrix_in_words(matrix: Mapping[str, Mapping[str, int]]) -> str:
    cells = (f"{matrix[human][verdict]} {human} judged {verdict}" for human in LABELS for verdict in LABELS)
    return ", ".join(cells) + "."


def _calibration_in_words(bins: Sequence[Mapping[str, Any]]) -> str:
    return "; ".join(
        f"confidence {each['low']:g} to {each['high']:g}: people passed {each['human_pass_share']:.0%} "
        f"of {each['records']}"
        for each in bins
    )


def _medians_in_words(groups: Sequence[tuple[str, _Distribution]]) -> str:
    return "; ".join(
        f"{name}: " + ", ".join(f"median {summary[2]:.2f} where people said {label}" for label, summary in by.items())
        for name, by in groups
    )


def _short(name: str) -> str:
    longest = 14
    name = printable(name)
    return name if len(name) <= longest else name[: longest - 1] + "…"
