"""Judgements kept in a file, so that what a model has said once is not asked, and paid, again."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from eval_worker import __version__
from eval_worker.errors import EvalWorkerError, SettingsError
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import HIGHEST_LEVEL, JudgeDefinition
from eval_worker.evaluation.judges.model import (
    Judgement,
    JudgeModel,
    LanguageModel,
    ModelAnswer,
    ModelReply,
    ModelRequest,
    Usage,
)
from eval_worker.evaluation.judges.request import CombinedRequest, JudgeRequest
from eval_worker.result import Unit

_Key = tuple[str, str, str, str]
_Request = JudgeRequest | CombinedRequest


class _Line(BaseModel):
    """One judgement: by which wording of a judge, which model and which version of the prompt, of what."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    judge_digest: str
    model: str
    version: str
    interaction: str
    judge: str
    score: Unit
    reason: str

    @property
    def key(self) -> _Key:
        return (self.judge_digest, self.model, self.version, self.interaction)


class JudgementCache:
    """By judge, not by set: a set that rewords one of five judges has the other four's judgements already.

    Failures are not kept. Whatever is made of scores (weights, thresholds, verdicts) is made anew each time.
    """

    def __init__(self) -> None:
        self._file: IO[str] | None = None
        self._known: dict[_Key, Judgement] = {}

    @classmethod
    def open(cls, path: Path) -> Self:
        """Read what is there, to be added to.

        Raises:
            SettingsError: it is no file that can be read and written, or something else than a cache.
        """
        cache = cls()
        try:
            kept = path.read_bytes() if path.exists() else b""
            cache._read(kept.split(b"\n"), path)  # a text's own splitlines would split reasons, too
            cache._file = path.open("a", encoding="utf-8")
            if kept and not kept.endswith(b"\n"):  # its writer was killed
                cache._file.write("\n")
        except OSError as error:
            raise SettingsError(f"--cache {path} can't be used: {error.strerror}") from error
        return cache

    def find(self, request: _Request, model: str) -> dict[str, Judgement] | None:
        """Return the judgements of all judges of the request, or None."""
        known = {judge.name: self._known.get(self._key(request, judge, model)) for judge in request.judges}
        found = {name: judgement for name, judgement in known.items() if judgement is not None}
        return found if len(found) == len(known) else None

    def keep(self, request: _Request, judge: JudgeDefinition, model: str, judgement: Judgement) -> None:
        judge_digest, _, version, interaction = key = self._key(request, judge, model)
        self._known[key] = judgement
        if self._file is None:
            return
        line = _Line(
            judge_digest=judge_digest,
            model=model,
            version=version,
            interaction=interaction,
            judge=judge.name,
            score=judgement.score,
            reason=judgement.reason.encode(errors="backslashreplace").decode(),
        )
        try:
            self._file.write(line.model_dump_json() + "\n")
            self._file.flush()  # what was paid for outlives a kill
        except OSError as error:
            raise EvalWorkerError(f"--cache {self._file.name} can't be written: {error.strerror}") from error

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _read(self, lines: Iterable[bytes], path: Path) -> None:
        unreadable = 0
        for text in filter(bytes.strip, lines):
            try:
                line = _Line.model_validate_json(text)
            except ValidationError:  # of another make, or cut off: it is asked again
                unreadable += 1
            else:
                self._known[line.key] = Judgement(line.score, line.reason)
        if unreadable and not self._known:
            raise SettingsError(f"--cache {path} holds no judgements: it is another file, name a new one")

    def _key(self, request: _Request, judge: JudgeDefinition, model: str) -> _Key:
        """A judge that is asked together with others is another one: they share the prompt."""
        together = [one.model_dump_json() for one in request.judges] if isinstance(request, CombinedRequest) else []
        digest = _digest("\n".join([judge.model_dump_json(), *together]))
        return (digest, model, __version__, _digest(_canonical(request.interaction)))


class CachedModel:
    """Asks the model only what is not in the cache. What it answers from there costs nothing, and says so."""

    def __init__(self, model: JudgeModel, cache: JudgementCache) -> None:
        self._model = model
        self._cache = cache

    @property
    def name(self) -> str:
        return self._model.name

    async def ask(self, request: JudgeRequest) -> ModelAnswer:
        if known := self._cache.find(request, self.name):
            return known[request.judge.name]
        answer = await self._model.ask(request)
        _keep(self._cache, request, self.name, answer)
        return answer

    def close(self) -> None:
        self._model.close()


class CachedLanguageModel(LanguageModel):
    """The same for a model that may be asked by several judges at once: all of them are known, or all are asked."""

    def __init__(self, model: LanguageModel, cache: JudgementCache) -> None:
        self._model = model
        self._cache = cache
        self._for_one = CachedModel(model, cache)

    @property
    def name(self) -> str:
        return self._model.name

    async def ask(self, request: ModelRequest) -> ModelAnswer:
        if isinstance(request, JudgeRequest):
            return await self._for_one.ask(request)
        if not isinstance(request, CombinedRequest):
            return await self._model.ask(request)
        if known := self._cache.find(request, self.name):
            return ModelReply({name: _said(judgement) for name, judgement in known.items()}, Usage())
        answer = await self._model.ask(request)
        _keep(self._cache, request, self.name, answer)
        return answer

    def close(self) -> None:
        self._model.close()


def cached(model: JudgeModel, cache: JudgementCache) -> CachedModel | CachedLanguageModel:
    return CachedLanguageModel(model, cache) if isinstance(model, LanguageModel) else CachedModel(model, cache)


def _keep(cache: JudgementCache, request: _Request, model: str, answer: ModelAnswer) -> None:
    opinions = request.read(answer)
    for judge in request.judges:
        opinion = opinions[judge.name]
        if isinstance(opinion, Judgement):
            cache.keep(request, judge, model, opinion)


def _said(judgement: Judgement) -> dict[str, object]:
    """Return a language model's judgement in the form in which it was given."""
    return {"rationale": judgement.reason, "level": round(judgement.score * HIGHEST_LEVEL)}


def _canonical(interaction: Interaction) -> str:
    reference = [interaction.reference] if interaction.reference else []  # what was kept without one is still found
    return json.dumps([interaction.user_query, interaction.answer, interaction.context, *reference])


def _digest(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
