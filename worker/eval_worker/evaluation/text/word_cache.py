"""What was found of a word is kept for the next text that has it: most words of a text are the words of any other."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_MOST, _LONGEST = 16_384, 64  # words, and characters of one: a longer word may be a megabyte


class WordCache(dict[str, T]):
    """Looked up as a dictionary, what is missing is found. A text looks up thousands: `lru_cache` takes thrice as long.

    Full, it starts afresh. What `find` returns must depend on the word alone.
    """

    __slots__ = ("_find",)

    def __init__(self, find: Callable[[str], T]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, word: str) -> T:
        found = self._find(word)
        if len(word) <= _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[word] = found
        return found
