"""`python -m benchmarks.peers PROGRAM COUNT`: send so many events to one of them, by its own client.

The program is imported by its name, since frameworks know their tasks by the module that they stand in.
"""

import asyncio
import sys
from importlib import import_module

if __name__ == "__main__":
    sending = import_module(f"benchmarks.peers.{sys.argv[1]}").send(int(sys.argv[2]))
    if sending is not None:
        asyncio.run(sending)
