"""How the word lists are written down: as text, for people to read."""


def word_set(block: str) -> frozenset[str]:
    return frozenset(block.split())
