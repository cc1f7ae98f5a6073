"""`python -m eval_worker.testing.fake_bedrock`: the fake as a process of its own, on 127.0.0.1."""

import sys

from eval_worker.testing.fake_bedrock.replies import HIGHEST_LEVEL
from eval_worker.testing.fake_bedrock.service import Service
from eval_worker.testing.fake_provider.process import serve

if __name__ == "__main__":
    sys.exit(
        serve(
            "eval_worker.testing.fake_bedrock",
            "A fake Bedrock on 127.0.0.1. Point clients at it with AWS_ENDPOINT_URL_BEDROCK_RUNTIME and any "
            "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; steer it through /_fake.",
            level=HIGHEST_LEVEL,
            make_handler=lambda level, latency: Service(level, latency).handle,
        )
    )
