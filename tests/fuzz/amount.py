"""How much is fuzzed, and from which seed.

The usual amount is the same every time. FUZZ_TIMES=20 makes it twenty times as much from a seed of its own, which is
printed with what it finds; FUZZ_SEED=… repeats a run.
"""

import os
import random
from collections.abc import Iterator

_USUAL_SEED = 20_260_101
TIMES = float(os.environ.get("FUZZ_TIMES", "1"))
SEED = int(os.environ.get("FUZZ_SEED") or (_USUAL_SEED if TIMES <= 1 else random.SystemRandom().getrandbits(32)))


def amount(usual: int) -> int:
    return max(int(usual * TIMES), 1)


def generators(usual: int) -> Iterator[tuple[str, random.Random]]:
    """Yield a random generator for each case, with a name that leads back to it."""
    for number in range(amount(usual)):
        name = f"FUZZ_SEED={SEED} case {number}"
        yield name, random.Random(f"{SEED}/{number}")
