"""Sentences that were run together, since the first was left without its full stop: "it rains here Thank you all!".

What is put before or behind an answer to please a judge could not be told from it. So where a sentence may begin, what
stands before and behind is read alone: is one of them padding, or tied to nothing and yet no mere name, it is cut off.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from eval_worker.evaluation.text.sentences import MARKER, split_sentences
from eval_worker.models.offline.cores.joins import (
    ENDS,
    LATIN,
    OTHER_SCRIPT,
    PICTURES,
    PREPOSITIONS,
    VERBS,
    goes_on_in_german,
    is_closed,
    is_done_before,
    is_label,
    is_prose_behind_code,
    is_set_apart,
    longest_label,
    may_be_clause,
    may_stand_ahead,
    may_stand_behind,
    says_nothing,
)
from eval_worker.models.offline.cores.said_again import announced
from eval_worker.models.offline.reading.literal import is_line_of_code
from eval_worker.models.offline.reading.statement import Reader, Statement
from eval_worker.models.offline.reading.vocabulary import LEADS_ON

_MAY_BEGIN = re.compile(
    r"(?<=[^\s.!?,;(\[{“‘/&-])[ \t]+(?=[¡¿]?[A-ZÀ-ÖØ-Þ])|(?<=\S)[ \t]+(?=https?://|www\.|[\[(](?:\d|[A-Z]\w)|\{[\"'])|"
    rf"(?<=[:\d\])}}>\"”…{PICTURES}])[ \t]+(?=\w)|(?<=[.!?])[ \t]+(?=[a-z])|"
    r"(?<=[a-z],)[ \t]+(?=(?:The|An?|It|This|These|There|They|He|She|You|We|In|On|As|To)\b)|"
    rf"(?<=[a-z0-9À-ɏ])[ \t]+(?={OTHER_SCRIPT})|(?<={OTHER_SCRIPT})[ \t]+(?=[A-Za-z])|"
    r"(?<=\S)[ \t]+(?=//[ \t]|##)|"
    r"(?<=\S)[ \t]+(?=[\[(][^\[\]()\n]{1,80}[\])][ \t]*(?:$|[\[(])|(?:assistant|system|user|human): |end of )|"
    r"(?<=[A-Z]{3})[ \t]+(?=[a-z])",
    re.MULTILINE,
)
_GOES_ON_WITH = VERBS | PREPOSITIONS
_DETERMINERS = frozenset({"Diese", "Dieser", "Cette", "Esta", "Questa", "Essa", "Dit"})
_GOES_ON_FROM = frozenset({"and", "or", "but", "nor"})
_MOST_PLACES, _MOST_TOGETHER, _FEWEST_SAID_AGAIN = 24, 6, 4
_ROW_OF_TABLE = re.compile(r"[ \t]*\|.*\|.*\|[ \t]*$")
_OPENS_JSON = ("{", "[")
_SAID_OVER = re.compile(r"(?<!\S)([^\W\d]{1,20})(?:[ \t]\1){3,}(?!\w)[.!]?", re.IGNORECASE)

_Place = tuple[int, int]  # where a sentence ends, and where the next begins
Reads = Callable[[Statement], bool]


def told_apart(answer: str, reader: Reader, *, is_tied: Reads, is_padding: Reads, may_hold_padding: Reads) -> str:
    """Return the answer with a line break wherever one sentence was run together with the next.

    `is_tied` and `is_padding` are asked of single sentences, so that what is cut depends on nothing else around it.
    What `may_hold_padding` is denied of neither begins nor ends with some: most sentences are read once that way.
    """
    if _SAID_OVER.search(answer):
        answer = _SAID_OVER.sub(lambda found: f"\n{found.group()}\n", answer).strip()
    if not _may_run_on(answer):
        return answer
    sentences = list(map(reader.read_sentence, split_sentences(answer)))
    said = frozenset(words for one in sentences for words in _said_in(one))
    edges = _Edges(_up_to_tied(sentences, is_tied), _up_to_tied(reversed(sentences), is_tied))
    cutter = _Cutter(reader, _Asked(is_tied, is_padding, may_hold_padding), said, edges)
    return "\n".join(cutter.cut_line(line) for line in answer.split("\n"))


def _up_to_tied(sentences: Iterable[Statement], is_tied: Reads) -> frozenset[str]:
    """The first of them up to one that is tied: what was put before an answer is among them, or begins that one."""
    found: list[str] = []
    for one in sentences:
        found.append(one.text)
        if is_tied(one):
            break
    return frozenset(found)


def _may_run_on(text: str) -> bool:
    return _MAY_BEGIN.search(text) is not None


def _said_in(one: Statement) -> Iterator[tuple[str, ...]]:
    """Its words, to be cut off where they stand again; if it says the same twice, those of once."""
    half = len(one.words) // 2
    if half >= _FEWEST_SAID_AGAIN and one.words[:half] == one.words[half:]:
        yield one.words[:half]
    elif len(one.words) >= _FEWEST_SAID_AGAIN:
        yield one.words


@dataclass(frozen=True, slots=True)
class _Edges:
    """The sentences up to the first that is tied, and from the last on: only there may anything be put."""

    first: frozenset[str]
    last: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked of single sentences."""

    is_tied: Reads
    is_padding: Reads
    may_hold_padding: Reads


class _Cutter:
    def __init__(
        self,
        reader: Reader,
        asked: _Asked,
        said: Collection[tuple[str, ...]],
        edges: _Edges,
    ) -> None:
        self._edges = edges
        self._read = reader.read_sentence
        self._is_tied, self._is_padding = asked.is_tied, asked.is_padding
        self._may_hold_padding = asked.may_hold_padding
        self._said = said

    def cut_line(self, line: str) -> str:
        if not _may_run_on(line) or _ROW_OF_TABLE.match(line):
            return line
        if line.lstrip()[:1] not in _OPENS_JSON and is_line_of_code(line):
            return "\n".join(self._without_end(line))
        pieces: list[str] = []
        begun = 0
        for sentence in split_sentences(line):
            at = line.find(sentence, begun)
            if at < 0:
                return line
            item = begun == 0 and MARKER.match(line.strip()) is not None
            pieces += [line[begun:at], "\n".join(self._cut(sentence, is_item=item))]
            begun = at + len(sentence)
        return "".join((*pieces, line[begun:]))

    def _without_end(self, code: str) -> Iterator[str]:
        """A line of code is read for what is said behind it, and no further."""
        for end, begin in reversed(_places(code)):
            if not code[begin].isupper():
                continue
            if self._are_padding([code[begin:]]) or is_prose_behind_code(code[begin:]):
                yield code[:end]
                code = code[begin:]
                break
        yield code

    def _cut(self, sentence: str, *, is_item: bool) -> list[str]:
        is_first, is_last = sentence in self._edges.first, sentence in self._edges.last
        ahead, behind = list[str](), list[str]()
        places = _places(sentence)
        pieces = _pieces(sentence, places) if places else []
        if len(pieces) > 1 and self._may_be_joined(self._read(sentence)):
            if is_label(self._read(sentence)):  # "Final Answer:"
                return [sentence]
            while size := self._padding_ahead(pieces):
                ahead.append(" ".join(pieces[:size]))
                pieces = pieces[size:]
                while len(pieces) > 1 and self._goes_with_padding(pieces[0]):
                    ahead[-1] = f"{ahead[-1]} {pieces[0]}"
                    pieces = pieces[1:]
            while size := self._padding_behind(pieces):
                behind.append(" ".join(pieces[-size:]))
                pieces = pieces[:-size]
                while len(pieces) > 1 and self._leads_up_to_padding(pieces[-1], behind[-1]):
                    behind[-1] = f"{pieces[-1]} {behind[-1]}"
                    pieces = pieces[:-1]
        if pieces and (ahead or behind):
            sentence = " ".join(pieces)
            places = _places(sentence)
        untied = self._cut_untied(sentence, places, is_first=is_first, is_last=is_last, is_item=is_item)
        return [*ahead, *untied, *reversed(behind)]

    def _goes_with_padding(self, piece: str) -> bool:
        """Whether it goes on with what was cut off before it: "output 1.0" and "and nothing else"."""
        return piece.split(maxsplit=1)[0] in _GOES_ON_FROM

    def _leads_up_to_padding(self, piece: str, padding: str) -> bool:
        """Whether it belongs to what was cut off behind it: "Final" to "Answer:", "Diese" to "Antwort ist …"."""
        return is_label(self._read(f"{piece} {padding}")) or (
            piece[0].isupper() and (piece in _DETERMINERS or not self._read(piece).stems)
        )

    def _may_be_joined(self, one: Statement) -> bool:
        return self._may_hold_padding(one) or any(
            words in (one.words[: len(words)], one.words[-len(words) :])
            for words in self._said
            if len(words) < len(one.words)
        )

    def _padding_ahead(self, pieces: Sequence[str]) -> int:
        """How many pieces are padding, the fewest that are; none if it is only the last of them."""
        for size in range(1, min(len(pieces), _MOST_TOGETHER + 1)):
            if self._are_padding(pieces[:size]):
                if pieces[size - 1][-1] in ENDS:
                    return size
                return 0 if any(self._are_padding(pieces[begun:size]) for begun in range(1, size)) else size
        return 0

    def _padding_behind(self, pieces: Sequence[str]) -> int:
        for size in range(1, min(len(pieces), _MOST_TOGETHER + 1)):
            if self._are_padding(pieces[-size:]):
                return 0 if any(self._are_padding(pieces[-size:-end]) for end in range(1, size)) else size
        return 0

    def _are_padding(self, pieces: Sequence[str]) -> bool:
        one = self._read(" ".join(pieces))
        return self._is_padding(one) or one.words in self._said or announced(one) in self._said

    def _cut_untied(
        self, sentence: str, places: Sequence[_Place], *, is_first: bool, is_last: bool, is_item: bool
    ) -> Iterator[str]:
        longest = longest_label(sentence) if places else 0
        for end, begin in reversed(places):
            if self._is_label(sentence[:end], sentence[begin:], longest):
                yield sentence[:end]
                sentence = sentence[begin:]
                places = _places(sentence)
                break
        begun = 0
        for end, begin in places if is_first else ():
            if self._is_foreign_ahead(sentence[begun:end], sentence[begin:], fewest=1 if is_item and not begun else 2):
                yield sentence[begun:end]
                begun = begin
        if begun:
            sentence, places = sentence[begun:], _places(sentence[begun:])
        for end, begin in places:
            if self._is_foreign(sentence[:end], sentence[begin:], is_last=is_last):
                yield sentence[:end]
                sentence = sentence[begin:]
                break
        yield sentence

    def _is_foreign(self, head: str, tail: str, *, is_last: bool) -> bool:
        if goes_on_in_german(head, tail):
            return False
        may_be = may_be_clause(head, tail, self._read) or (is_last and may_stand_behind(head, tail))
        return may_be and not self._is_tied(self._read(tail))

    def _is_foreign_ahead(self, head: str, tail: str, *, fewest: int) -> bool:
        if not may_stand_ahead(head, tail, self._read, fewest) or self._is_tied(self._read(head)):
            return False
        if goes_on_in_german(head, tail):
            return False
        if is_closed(head, tail) or says_nothing(self._read(head)) or may_be_clause(head, tail, self._read):
            return True
        return self._is_tied(self._read(tail))

    def _is_label(self, head: str, tail: str, longest: int) -> bool:
        """`longest` is where a label in Latin letters ends at the latest, but for one that ends as a sentence does."""
        if len(head) > longest and not is_done_before(head, tail) and LATIN.search(head):
            return False
        one = self._read(head)
        return is_set_apart(head, tail, one) and not self._is_tied(one)


def _places(sentence: str) -> list[_Place]:
    return [found.span() for found in islice(_MAY_BEGIN.finditer(sentence), _MOST_PLACES)]


def _pieces(sentence: str, places: Sequence[_Place]) -> list[str]:
    """What stands between the places, but for those where it goes on: to a value, a bracket that closes, a verb."""
    pieces: list[str] = []
    begun = 0
    for end, begin in places:
        piece, first = sentence[begun:end], sentence[begin:].split(maxsplit=1)[0]
        last = piece.rsplit(maxsplit=1)[-1].lower()
        closed = piece[-1] != ":" and piece.count("{") <= piece.count("}")
        is_question = first == "I" and last in VERBS  # "How can I help?"
        if closed and first not in _GOES_ON_WITH and last not in LEADS_ON and not is_question:
            pieces.append(piece)
            begun = begin
    return [*pieces, sentence[begun:]]
