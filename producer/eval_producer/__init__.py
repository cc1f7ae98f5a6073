"""Puts events on the stream that the worker reads."""
