"""Whole conversations in a file: read, judged, and reported by the `agentic` command."""
