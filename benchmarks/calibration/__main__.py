"""`python -m benchmarks.calibration DATA [JUDGE…]`: fit the weights of judges and write them into the package."""

import hashlib
import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import click

import eval_worker.models.offline
from benchmarks.calibration.fit import fit
from benchmarks.calibration.labelled import read_sets

# Whose weights are fitted, and the labels of people that they are fitted to. The features of a judge and the sign that
# the weight of each may have stand in `eval_worker.models.offline.judges.<judge>_features`.
_LABELS = {
    "relevance": ("relevance",),
    "faithfulness": ("faithfulness",),
    "coherence": ("coherence",),
    "completeness": ("completeness", "overall"),
    "instruction": ("instruction",),
}
_WRITTEN_TO = Path(next(iter(eval_worker.models.offline.__path__))) / "calibration"
_PARTS: dict[str, Callable[[str], bool]] = {
    "all": lambda _group: True,
    "tune": lambda group: _half(group) == 0,
    "check": lambda group: _half(group) == 1,
}


@click.command()
@click.argument("data", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("judges", nargs=-1, type=click.Choice(list(_LABELS)))
@click.option("--part", type=click.Choice(list(_PARTS)), default="all", help="Fit to one half of the groups only.")
def main(data: Path, judges: tuple[str, ...], part: str) -> None:
    """Fit the weights of JUDGES (all of them unless named) to the labelled answers in DATA."""
    for judge in judges or tuple(_LABELS):
        features = import_module(f"eval_worker.models.offline.judges.{judge}_features")
        sets = [one for label in _LABELS[judge] for one in read_sets(data, label, features.features_of, _PARTS[part])]
        intercept, weights = fit(sets, features.SIGNS)
        document = {"intercept": intercept, "weights": weights}
        path = _WRITTEN_TO / f"{judge}.json"
        path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        click.echo(f"{judge}: fitted to {', '.join(one.name for one in sets)}: {json.dumps(document)}")


def _half(group: str) -> int:
    return int(hashlib.sha256(f"part:{group}".encode()).hexdigest(), 16) % 2


if __name__ == "__main__":
    main()
