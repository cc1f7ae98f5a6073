"""The report as one HTML file: nothing in it is loaded from anywhere, and judged texts are text, whatever they hold."""

from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from eval_worker.console.terminal import printable
from eval_worker.validation.figures import LABELS, calibration_plot, confusion_plot, distribution_plot

SHOWN_PROBLEMS = 50


def render_html(report: Mapping[str, Any]) -> str:
    environment = Environment(
        loader=PackageLoader("eval_worker.validation"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"figure": _figure, "share": _share, "signed": _signed, "plain": printable}
    plots = {
        "confusion": confusion_plot(report["confusion_matrix"]),
        "calibration": calibration_plot(report["calibration"], report["thresholds"]),
        "distributions": distribution_plot(report["confidence_distribution"], report["score_distributions"]),
    }
    return environment.get_template("report.html.j2").render(
        report=report,
        labels=LABELS,
        shown_problems=SHOWN_PROBLEMS,
        # Drawn by us of numbers and the names of judges, which matplotlib escapes.
        plots={name: Markup(drawing) for name, drawing in plots.items()},  # noqa: S704
    )


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.2f}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"
