"""Reads rows in a thread of their own: a pipe that is slow must not hold up the judging, nor Ctrl+C."""

from collections.abc import AsyncGenerator, Iterator
from itertools import islice

from eval_worker.models.daemon_thread_pool import DaemonThreadPool
from eval_worker.tables.reading import Row


async def rows_in_thread(rows: Iterator[Row], *, at_once: int) -> AsyncGenerator[Row]:
    """Yield the rows; `at_once` are read together, which is faster, but has to wait for so many."""
    pool = DaemonThreadPool(1, "batch-input")
    try:
        while read := await pool.run(lambda: list(islice(rows, at_once))):
            for row in read:
                yield row
    finally:
        pool.submit(getattr(rows, "close", lambda: None))  # in its turn: the thread may be reading still
        pool.submit(pool.close)
