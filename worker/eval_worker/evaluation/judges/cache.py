"""A judgement that has been paid for is not paid for again: what a cache promises, and judges that ask it first."""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Protocol

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.judge import JudgedStage, StageJudge, what_is_missing
from eval_worker.evaluation.judges.model import Judgement, Usage
from eval_worker.evaluation.judges.panel import CombinedAsker
from eval_worker.evaluation.stage import Stage


class JudgementCache(Protocol):
    """Judgements by key. Whoever is told that there is none is the one who asks; the others wait for what he gets."""

    async def claim(self, key: str) -> Judgement | None:
        """Return the judgement, or None: then the caller asks the model, and must `keep` or `forgo` in the end."""
        ...

    def keep(self, key: str, judgement: Judgement) -> None:
        """Take a judgement in, for whoever waits and for whoever comes."""
        ...

    def forgo(self, key: str) -> None:
        """Let another one ask: there is no judgement to keep."""
        ...


class CachedJudge:
    """A judge that asks no model for what it was told before: of the same text, by the same judge, asked alike.

    `asked_how` names all that shapes a judgement besides the judge's definition and the text: a judgement that was
    made otherwise is another one. A judge without a score (it failed, it does not apply) leaves nothing behind.
    """

    def __init__(
        self, judge: StageJudge, cache: JudgementCache, *, asked_how: str, clock_ns: Callable[[], int]
    ) -> None:
        self._judge = judge
        self._cache = cache
        self._clock_ns = clock_ns
        self._asked_how = _digest(asked_how, judge.definition.model_dump_json())

    @property
    def definition(self) -> JudgeDefinition:
        return self._judge.definition

    async def judge(self, interaction: Interaction) -> JudgedStage:
        if what_is_missing(self.definition, interaction):
            return await self._judge.judge(interaction)
        started = self._clock_ns()
        key = judgement_key(self._asked_how, interaction)
        if known := await self._cache.claim(key):
            return _recalled(self.definition, known, self._clock_ns() - started)
        judged: JudgedStage | None = None
        try:
            judged = await self._judge.judge(interaction)
            return judged
        finally:  # where it is cut off, another one may ask at once
            _keep_or_forgo(self._cache, key, judged)


class CachedCombinedAsker:
    """Asks, in one call, those judges of whom nothing is known yet."""

    def __init__(
        self, asker: CombinedAsker, cache: JudgementCache, *, asked_how: str, clock_ns: Callable[[], int]
    ) -> None:
        self._asker = asker
        self._cache = cache
        self._clock_ns = clock_ns
        self._asked_how = asked_how
        self._digests: dict[str, str] = {}

    async def judge(self, interaction: Interaction, judges: Sequence[JudgeDefinition]) -> Sequence[JudgedStage]:
        known: dict[str, JudgedStage] = {}
        claimed: dict[str, str] = {}
        asked: dict[str, JudgedStage] = {}
        try:
            # One after the other, in the judges' order: two that want the same never wait for each other.
            for judge in judges:
                if not what_is_missing(judge, interaction):
                    await self._claim(judge, interaction, known, claimed)
            left = [judge for judge in judges if judge.name not in known]
            asked = dict(zip((judge.name for judge in left), await self._asker.judge(interaction, left), strict=True))
        finally:
            for name, key in claimed.items():
                _keep_or_forgo(self._cache, key, asked.get(name))
        return [known.get(judge.name) or asked[judge.name] for judge in judges]

    async def _claim(
        self, judge: JudgeDefinition, interaction: Interaction, known: dict[str, JudgedStage], claimed: dict[str, str]
    ) -> None:
        started = self._clock_ns()
        key = judgement_key(self._digest_of(judge), interaction)
        if found := await self._cache.claim(key):
            known[judge.name] = _recalled(judge, found, self._clock_ns() - started)
        else:
            claimed[judge.name] = key

    def _digest_of(self, judge: JudgeDefinition) -> str:
        if judge.name not in self._digests:
            self._digests[judge.name] = _digest(self._asked_how, judge.model_dump_json())
        return self._digests[judge.name]


def _recalled(judge: JudgeDefinition, known: Judgement, duration_ns: int) -> JudgedStage:
    return JudgedStage(Stage(judge.stage_name, known.score, known.reason, duration_ns, cached=True), Usage())


def _keep_or_forgo(cache: JudgementCache, key: str, judged: JudgedStage | None) -> None:
    if judged is None or judged.stage.score is None:
        cache.forgo(key)
    else:
        cache.keep(key, Judgement(judged.stage.score, judged.stage.reason))


def judgement_key(asked_how: str, interaction: Interaction) -> str:
    """Return 32 hexadecimal digits that stand for one text judged in one way."""
    text = (interaction.user_query, interaction.answer, interaction.context, interaction.reference)
    return _digest(asked_how, *text)[:32]


def _digest(*parts: str) -> str:
    # As JSON, so that no two lists of parts look alike, and any text can be encoded (half a character too).
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
