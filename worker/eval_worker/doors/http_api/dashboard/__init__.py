"""The live page at `/`, and the data behind it."""
