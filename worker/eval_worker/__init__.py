"""A Redis Streams worker that judges AI agents' answers."""

__version__ = "1.0.0"
