"""Whatever stands in an event, it is judged: a judge that breaks would break it at every delivery."""

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.models.offline.verdicts import definition_named

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import BUILT_IN_JUDGES
from eval_worker.evaluation.judges.model import CannotJudge, Judgement
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.models.offline import OfflineModel

WORDS = """
the a and of is not no yes what why how which list three tell me explain give examples between more than half twenty
million sorry cannot because for example however water Berlin Anna's don't 王's 上海’s 教えて 告诉我 三つ
法国的首都是巴黎。 설명해 주세요 كيف नमस्ते สวัสดี Straße Größe naïve İstanbul où ¿Qué? ß 😀 ² ½ ٣ № é
\u200b \ufeff \u0301
"""
NUMBERS = """
0 -0 1 -1/0 1/2 1,200,50 1.234.567.89 192.168.100.20 3.14.159 1'000'000 12:60 25:61 24:00 2021-02-30 1e5 NaN 5km
10% $1,2 1st 21th 0x1F x^2 <5 1–2 5±1 (1) 1. a) [1] #1 A4 99999999999999999999999999999999999999999999999999
"""
SIGNS = [
    *"()[]{}<>|*#`\"'“”.,:;!?-–—/\\=+&%$€@~^_",
    "```",
    "---",
    "...",
    "\n",
    "\n\n",
    "\n- ",
    "\n1. ",
    "\t",
    "| a |",
    "<b>",
]
TEXTS = st.tuples(
    st.lists(st.sampled_from([*WORDS.split(), *NUMBERS.split(), *SIGNS]), max_size=14),
    st.sampled_from([" ", "", ", ", ". ", "\n"]),
).map(lambda drawn: drawn[1].join(drawn[0]))


@settings(max_examples=400, deadline=None, derandomize=True)
@given(query=TEXTS, answer=TEXTS, context=TEXTS, reference=TEXTS)
def test_every_judge_has_an_opinion_on_any_text(query: str, answer: str, context: str, reference: str):
    model = OfflineModel()
    interaction = Interaction(query, answer, context, reference)

    async def opinions() -> list[Judgement | CannotJudge]:
        names = (*BUILT_IN_JUDGES, "correctness")
        return [await model.ask(JudgeRequest(definition_named(name), interaction)) for name in names]

    try:
        found = asyncio.run(opinions())
    finally:
        model.close()
    assert all(isinstance(one, CannotJudge) or 0 <= one.score <= 1 for one in found)
