"""Examples that were asked for without a number."""

import re
from collections.abc import Iterator

from eval_worker.evaluation.instructions.check import Check, told
from eval_worker.evaluation.instructions.items import count_items, wanted_items
from eval_worker.evaluation.instructions.request import is_reported
from eval_worker.evaluation.text.prefiltered import Prefiltered

EXAMPLE_MARKERS = re.compile(
    r"\b(?:examples?|e\.g|for instance|such as|like|including|includes|namely|zum beispiel|par exemple|por ejemplo|"
    r"per esempio|ad esempio|por exemplo|bijvoorbeeld|z\.\s?b|bspw|p\.\s?ex|"
    r"например|к примеру|örneğin|mesela|örnek\w*|مثل|مثلا|(?:ال)?مثال\w*)\b|例如|比如|譬如|例えば|"
    r"たとえば|예를 들|예로|उदाहरण|जैसे",
    re.IGNORECASE,
)
"""Words that introduce an example."""
OPENS_EXAMPLE = re.compile(
    r"\W*(?:(?:for|as an) (?:example|instance)\b|e\.g|(?:an?|one|another|some)(?: \w+)? examples?\b|examples?\b|"
    r"(?:zum|ein) beispiel\b|z\.\s?b|(?:par|un) exemple\b|"
    r"(?:por|un) ejemplo\b|(?:per|ad|un) esempio\b|(?:por|um) exemplo\b|"
    r"bijvoorbeeld\b|een voorbeeld\b|например|пример|örneğin|例如|比如|例えば|たとえば|예를 들|उदाहरण|"
    r"على سبيل المثال|مثال|(?:\w+[ -]){1,5}(?:is|are) (?:an?|one|the|typical|good|common)(?: \w+)? examples?\b)",
    re.IGNORECASE,
)
"""What a sentence begins with that gives an example of what the one before it says."""
_ASKS_EXAMPLES = Prefiltered(
    r"\b(?:provide|give|include|with|add|show|and)\s+(?:me\s+)?"
    r"(?:some\s+|several\s+|an?\s+|a few\s+|concrete\s+)?examples?\b(?!\s+of\b)|"
    r"\b(?:and|with|including)\s+(?:(?:give|provide|include|add|show)\s+)?(?:some\s+|an?\s+|a few\s+)?examples?\b",
    words=("example",),
)
_NONE = 0.3
_SEVERAL = 2


def check_examples(orders: str, answer: str) -> Iterator[Check]:
    asked = _ASKS_EXAMPLES.search(orders)
    if asked and wanted_items(orders) is None and not is_reported(orders, asked.start()):
        has = EXAMPLE_MARKERS.search(answer) is not None or (count_items(answer, _SEVERAL) or 0) > 1 or "```" in answer
        yield told("asked for examples", kept=has, otherwise="the answer gives none", score=_NONE)
