"""The judge of an answer against a reference."""
