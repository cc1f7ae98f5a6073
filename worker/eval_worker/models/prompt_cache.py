"""Which beginnings of prompts the provider is asked to cache, and which call goes first so that the others find them.

What is written to a prompt cache costs more than other input, and can be read only once the call that writes it is
answered: calls that go out together would all write.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from math import inf

from eval_worker.evaluation.judges.model import Usage
from eval_worker.models.token_estimate import estimate_tokens

KEPT_SECONDS = 300.0  # by Bedrock, from the last call that used it
MOST_PREFIXES = 256  # each set of judges that is asked together has its own


@dataclass(slots=True)
class Prefix:
    """The part of a prompt that is the same for every event, as this process knows the provider's cache of it."""

    cacheable: bool
    warm_until: float = -inf
    warming: asyncio.Event | None = None
    unheard_of: bool = False  # by its usage the provider neither wrote nor read it: there is nothing to wait for


class PromptCache:
    """The prefixes that are cached, by model and text.

    `floor_of` says how many tokens a prefix must have to be cached by a model; None: that model caches none.
    """

    def __init__(
        self, floor_of: Callable[[str], int | None], clock: Callable[[], float], *, longest_wait_seconds: float
    ) -> None:
        self._floor_of = floor_of
        self._clock = clock
        self._longest_wait_seconds = longest_wait_seconds
        self._prefixes: OrderedDict[tuple[str, str], Prefix] = OrderedDict()

    def prefix(self, model_id: str, system: str, tool_tokens: Callable[[], float]) -> Prefix | None:
        """Return the prefix of a prompt if it is to be cached; tools stand in it before the system prompt.

        A prefix that turns out to be smaller than estimated does no harm: the provider leaves it uncached.
        """
        key = (model_id, system)
        prefix = self._prefixes.pop(key, None)
        if prefix is None:
            floor = self._floor_of(model_id)
            prefix = Prefix(floor is not None and tool_tokens() + estimate_tokens(system) >= floor)
        self._prefixes[key] = prefix
        while len(self._prefixes) > MOST_PREFIXES:
            self._prefixes.popitem(last=False)
        return prefix if prefix.cacheable else None

    @asynccontextmanager
    async def turn(self, prefix: Prefix) -> AsyncGenerator[Callable[[Usage], None], None]:
        """Wait until the call may go; it is to report what the provider counted.

        The first call goes alone, and those with the same prefix wait until it has ended, well or not, but for so many
        seconds at most: they have deadlines of their own. It is so again once the provider has dropped the prefix.
        """
        if prefix.warming is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(prefix.warming.wait(), self._longest_wait_seconds)
        elif not prefix.unheard_of and self._clock() >= prefix.warm_until:
            async with _warming(prefix):
                yield self._reporter(prefix)
            return
        yield self._reporter(prefix)

    def _reporter(self, prefix: Prefix) -> Callable[[Usage], None]:
        began = self._clock()

        def report(usage: Usage) -> None:
            if usage.cache_read_input_tokens or usage.cache_write_input_tokens:
                prefix.warm_until, prefix.unheard_of = began + KEPT_SECONDS, False
            elif usage.llm_calls:
                prefix.unheard_of = True

        return report


@asynccontextmanager
async def _warming(prefix: Prefix) -> AsyncGenerator[None, None]:
    prefix.warming = ended = asyncio.Event()
    try:
        yield
    finally:
        prefix.warming = None
        ended.set()
