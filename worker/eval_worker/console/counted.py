"""How many of what, in words."""


def counted(number: int, noun: str) -> str:
    """`1 line`, `2,000 lines`; for nouns whose plural is made with an s."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
