"""Caches of judgements: in Redis, for all workers; in memory, for a process of its own."""
