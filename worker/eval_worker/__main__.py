"""`python -m eval_worker` is `eval-worker`."""

from eval_worker.cli import main

main()
