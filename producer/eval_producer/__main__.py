"""`python -m eval_producer` is `eval-producer`."""

from eval_producer.cli import main

main()
