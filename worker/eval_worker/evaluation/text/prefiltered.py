"""Regular expressions that most texts are spared.

A pattern of many alternatives is tried at every position of a text. Where each match has at least one of a few words in
it, a text without these needs no search. RE2 finds such words by itself (Cox, "Regular Expression Matching with a
Trigram Index"); here they stand beside the pattern, and a test makes matches of each pattern and looks for them.
"""

import re
from collections.abc import Iterable, Iterator


class Prefiltered:
    """A pattern that takes no notice of case. `words` are parts of words, at least one of which each match has."""

    __slots__ = ("pattern", "words")

    def __init__(self, pattern: str, words: Iterable[str]) -> None:
        self.pattern = re.compile(pattern, re.IGNORECASE)
        self.words = tuple(dict.fromkeys(word.casefold() for word in words))

    def search(self, text: str) -> re.Match[str] | None:
        return self.pattern.search(text) if self.may_match(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self.pattern.finditer(text) if self.may_match(text) else iter(())

    def may_match(self, text: str) -> bool:
        folded = text.casefold()
        for word in self.words:  # noqa: SIM110, any() and its generator cost more than the search for some words
            if word in folded:
                return True
        return False
