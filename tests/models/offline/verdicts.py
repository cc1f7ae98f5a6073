"""How the tests of the offline model ask: one judge alone, or the whole pipeline as the worker runs it."""

import asyncio
import time
from pathlib import Path

import eval_worker.evaluation.judges
from eval_worker.evaluation.aggregate import Evaluation, ScoringPolicy
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.asker import Patience
from eval_worker.evaluation.judges.definition import JudgeDefinition, load_judges
from eval_worker.evaluation.judges.judge import Judge
from eval_worker.evaluation.judges.model import CannotJudge, Judgement
from eval_worker.evaluation.judges.panel import Panel
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.evaluation.pipeline import Pipeline
from eval_worker.models.offline import OfflineModel

_YAML = Path(next(iter(eval_worker.evaluation.judges.__path__))) / "judges.yaml"
JUDGES = load_judges(_YAML.read_text(encoding="utf-8"))


def definition_named(name: str) -> JudgeDefinition:
    found = JUDGES.find(name)
    return found or JUDGES.judges[0].model_copy(update={"name": name})


def asked(judge: str, query: str, answer: str, context: str = "") -> Judgement | CannotJudge:
    model = OfflineModel()
    try:
        return asyncio.run(model.ask(JudgeRequest(definition_named(judge), Interaction(query, answer, context))))
    finally:
        model.close()


def judged(judge: str, query: str, answer: str, context: str = "") -> Judgement:
    opinion = asked(judge, query, answer, context)
    assert isinstance(opinion, Judgement)
    return opinion


def confidence_in(query: str, answer: str, context: str = "") -> float:
    confidence = evaluated(query, answer, context).confidence
    assert confidence is not None
    return confidence


def evaluated(query: str, answer: str, context: str = "") -> Evaluation:
    model = OfflineModel()
    judges = [Judge(one, model, Patience(), time.perf_counter_ns) for one in JUDGES.judges]
    pipeline = Pipeline(Panel(judges), ScoringPolicy(), time.perf_counter_ns)
    try:
        return asyncio.run(pipeline.evaluate(Interaction(query, answer, context)))
    finally:
        model.close()
