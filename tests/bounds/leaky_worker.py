"""A worker that remembers every event it has decoded, as an unbounded cache would. Run as a program by the tests."""

from functools import cache

from eval_worker.daemon import leave, run_daemon
from eval_worker.settings import load_settings
from eval_worker.stream import screening

if __name__ == "__main__":
    screening.decode_event = cache(screening.decode_event)
    run_daemon(load_settings())
    leave(0)
