"""All judges of an event in one call: each has its own opinion, and its own stage comes out."""

from collections.abc import Callable, Sequence

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.asker import Answered, Asker, AttemptObserver, Patience, ignore_attempt
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.judge import JudgedStage, not_applicable, stage_of, what_is_missing
from eval_worker.evaluation.judges.model import LanguageModel, Usage
from eval_worker.evaluation.judges.request import CombinedRequest, JudgeRequest, requests_to
from eval_worker.evaluation.judges.side_by_side import side_by_side


class CombinedJudges:
    """Asks the judges that apply together: one call for those of the same model and temperature."""

    def __init__(
        self,
        model: LanguageModel,
        patience: Patience,
        clock_ns: Callable[[], int],
        on_attempt: AttemptObserver = ignore_attempt,
    ) -> None:
        self._asker: Asker[JudgeRequest | CombinedRequest] = Asker(model.ask, patience, clock_ns, on_attempt)

    async def judge(self, interaction: Interaction, judges: Sequence[JudgeDefinition]) -> Sequence[JudgedStage]:
        """Ask these judges and no others; returns their stages in the same order.

        What a call used is counted once, with the first of the judges that shared it. Its time is that of each.
        """
        left_out = {judge.name: what_is_missing(judge, interaction) for judge in judges}
        requests = requests_to([judge for judge in judges if left_out[judge.name] is None], interaction)
        answers = await side_by_side(self._asker.ask(request) for request in requests)
        answer_of = {name: answered for answered in answers for name in answered.opinions}
        return [
            not_applicable(judge, missing)
            if (missing := left_out[judge.name]) is not None
            else _judged(judge, answer_of[judge.name])
            for judge in judges
        ]


def _judged(judge: JudgeDefinition, answered: Answered) -> JudgedStage:
    first = next(iter(answered.opinions))
    stage = stage_of(judge, answered.opinions[judge.name], answered.duration_ns)
    return JudgedStage(stage, answered.usage if judge.name == first else Usage())
