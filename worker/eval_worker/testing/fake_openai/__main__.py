"""`python -m eval_worker.testing.fake_openai`: the fake as a process of its own, on 127.0.0.1."""

import sys

from eval_worker.testing.fake_openai.outcomes import HIGHEST_LEVEL
from eval_worker.testing.fake_openai.service import Service
from eval_worker.testing.fake_provider.process import serve

if __name__ == "__main__":
    sys.exit(
        serve(
            "eval_worker.testing.fake_openai",
            "A fake of OpenAI's chat completions on 127.0.0.1. Point clients at /v1 of the address with any API key.",
            level=HIGHEST_LEVEL,
            make_handler=lambda level, latency: Service(level, latency).handle,
        )
    )
