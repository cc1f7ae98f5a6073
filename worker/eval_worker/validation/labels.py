"""The three labels as places on a scale, since a `fail` is further from a `pass` than a `review` is."""

from eval_worker.evaluation.aggregate import Verdict

SCALE = (Verdict.FAIL, Verdict.REVIEW, Verdict.PASS)
PLACES = {label: place for place, label in enumerate(SCALE)}
FAIL, REVIEW, PASS = range(len(SCALE))
