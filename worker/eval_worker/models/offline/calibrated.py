"""A score from features: a logistic model whose weights were fitted to what people said, so that it means something."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Calibrated:
    """`weights` by feature, each fitted within the sign that its judge allows it."""

    intercept: float
    weights: Mapping[str, float]

    def score(self, features: Mapping[str, float], sharpness: float = 1.0) -> float:
        """Return 1 / (1 + e^-(sharpness * (intercept + weights . features))), so 0 to 1.

        A fit is the more timid, the noisier what people said. Where that is an order and no level, a `sharpness` over 1
        takes it back: the order of the scores stays, and they are further apart.

        Raises:
            KeyError: a feature that has a weight is missing.
        """
        total = math.fsum([self.intercept, *(weight * features[name] for name, weight in self.weights.items())])
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, sharpness * total))))


@cache
def calibrated(judge: str) -> Calibrated:
    """Read the weights of one judge, which stand in `calibration/<judge>.json`; `make calibrate` writes them."""
    text = files("eval_worker.models.offline").joinpath("calibration", f"{judge}.json").read_text(encoding="utf-8")
    document = json.loads(text)
    return Calibrated(document["intercept"], document["weights"])
