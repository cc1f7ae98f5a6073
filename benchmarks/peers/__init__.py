"""The same work as the worker's free part, written for other frameworks the way their documentation shows.

Each program runs in a virtual environment of its own, with what the text file of its name lists, and finds the
prechecks on PYTHONPATH. `python -m benchmarks.peers PROGRAM COUNT` sends it events.
"""
