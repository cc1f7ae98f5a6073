"""Correctness: does the answer say what the reference answer says?

Only what the reference demands earns anything, so nothing that is slipped into an answer can help it.
"""

import math
import re
from collections.abc import Callable, Sequence
from functools import cached_property

from eval_worker.evaluation.judges.judge import NO_REFERENCE
from eval_worker.evaluation.judges.model import CannotJudge, Judgement
from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.sentences import split_sentences
from eval_worker.evaluation.text.short_answers import GREETING_WORDS, is_refusal
from eval_worker.evaluation.text.stop_words import STOP_WORDS
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import fold
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.cores.beside import is_said_beside
from eval_worker.models.offline.correctness.contradictions import Texts, contradiction
from eval_worker.models.offline.correctness.demands import Demand, demands_of
from eval_worker.models.offline.correctness.said import Finding, Said
from eval_worker.models.offline.correctness.stances import stance_of
from eval_worker.models.offline.reading.clauses import read_clauses
from eval_worker.models.offline.reading.dates import without_ordinal_dots
from eval_worker.models.offline.reading.literal import (
    chosen_letters,
    is_code,
    letters_alone,
    same_code,
    share_of_code,
    sole_letter,
    without_fences,
)
from eval_worker.models.offline.reading.requests import is_request
from eval_worker.models.offline.reading.spans import named
from eval_worker.models.offline.reading.spellings import loose
from eval_worker.models.offline.reading.statement import capitals_in, names_by, read_statement
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.vocabulary import ABOUT_JUDGING, ORDERS_TO_THE_JUDGE

_READ = 20_000  # characters of each text: the rest is not looked at
_ORDER_WITHIN = 300
_NOTHING, _OTHER, _OPPOSITE = 0.0, 0.05, 0.08
_SAME, _FULL = 1.0, 0.97
_REFUSED, _REFUSED_RIGHTLY = 0.1, 0.9
_STANCE_ALONE = 0.82
_INCOMPLETE = 0.65
_FEW, _MANY_EXPONENT, _EASED_BY = 3, 0.5, 0.045
_GRADING = ABOUT_JUDGING - frozenset(map(stem, ("answer", "response", "reply", "question", "query")))
_NAME_RUN = re.compile(
    r"[A-ZÀ-Þ][\w.'-]*(?:(?: (?:da|de|del|der|den|di|du|la|le|van|von|bin|ibn|al))* [A-ZÀ-Þ][\w'-]*)+"
)
_TITLES = word_set("mr mrs ms dr sir dame professor president king queen saint pope")
_COMPARES = re.compile(r"\b(?:than|als|чем|que)\b", re.IGNORECASE)
_LONGEST_NAME = 100
_PHONE = re.compile(r"(?<![\w+])\+\d[\d ()/.-]{6,20}\d(?!\d)")
_OFFERS_HELP = re.compile(r"\b(?:how|what) (?:can|may|could) i (?:help|assist|do)\b")
_EDGES = " \t\r\n\"'`“”‘’«»*.。!！"
_SAYS_THE_ANSWER = re.compile(
    r"^\W*(?:\w+,?\s+){0,3}?(?:the|my) (?:\w+ )?(?:answer|response|reply) (?:is|should|must)\b", re.IGNORECASE
)


def judge_correctness(analysis: Analysis) -> Judgement | CannotJudge:
    interaction = analysis.interaction
    if not interaction.has_reference:
        return CannotJudge(NO_REFERENCE)
    compared = _Compared(analysis)
    rules: Sequence[Callable[[_Compared], Judgement | None]] = (
        _same,
        _empty,
        _refusal,
        _courtesy,
        _option,
        _code,
        _stance,
        _one_of_those_named,
        _surname,
    )
    for rule in rules:
        opinion = rule(compared)
        if opinion is not None:
            return opinion
    return _by_demands(compared)


class _Compared:
    """Both texts and what is known of them. Every property is found when it is first asked for."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.reference = _as_compared(analysis.interaction.reference)
        self.answer = _as_compared(analysis.interaction.answer)

    @cached_property
    def sentences(self) -> list[str]:
        """The answer's, without orders to whoever judges it and without the query repeated."""
        query = fold(self.analysis.interaction.user_query[:_READ]).strip(_EDGES + "?？")
        return [
            one
            for one in split_sentences(without_fences(self.answer))
            if not _gives_orders(one) and fold(one).strip(_EDGES + "?？") != query and not self._talks_of_judging(one)
        ]

    def _talks_of_judging(self, sentence: str) -> bool:
        """Whether it speaks of grades and the like, and of nothing that the query or the reference speaks of."""
        stems = read_statement(sentence).stems
        return not _GRADING.isdisjoint(stems) and self._subjects.isdisjoint(stems)

    @cached_property
    def _subjects(self) -> frozenset[str]:
        query, reference = self.analysis.query, read_statement(self.reference)
        return frozenset(one for one in (*query.stems, *reference.stems) if not one[0].isdecimal())

    @cached_property
    def texts(self) -> Texts:
        query = read_clauses(split_sentences(self.analysis.interaction.user_query[:_READ]))
        reference = read_clauses(split_sentences(self.reference) or [self.reference])
        return Texts(query, reference, read_clauses(self.sentences))

    @cached_property
    def names(self) -> frozenset[str]:
        statements = [read_statement(one) for one in (*split_sentences(self.reference), *self.sentences)]
        return names_by(capitals_in([*statements, self.analysis.query]))

    @cached_property
    def demands(self) -> list[Demand]:
        return demands_of(self.texts.reference, self.texts.given, self.names, self.analysis.question.asks)

    @cached_property
    def findings(self) -> list[Finding]:
        said = Said(self.texts.answer)
        return [said.find(demand) for demand in self.demands]


def _as_compared(text: str) -> str:
    """What is read of it, with a phone number as one number, however its digits are grouped."""
    read = without_ordinal_dots(text[:_READ]).strip()
    return _PHONE.sub(lambda found: re.sub(r"\D", "", found.group()), read) if "+" in read else read


def _gives_orders(sentence: str) -> bool:
    return ORDERS_TO_THE_JUDGE.search(sentence[:_ORDER_WITHIN]) is not None and not _SAYS_THE_ANSWER.match(sentence)


def _same(compared: _Compared) -> Judgement | None:
    one, other = (" ".join(fold(text).split()).strip(_EDGES) for text in (compared.reference, compared.answer))
    if one == other and (one or compared.reference == compared.answer):
        return Judgement(_SAME, "the answer is the reference, word for word")
    return None


def _empty(compared: _Compared) -> Judgement | None:
    if not any(map(str.isprintable, compared.answer.replace(" ", ""))):
        return Judgement(_NOTHING, "the answer is empty")
    if not any(map(str.isalnum, compared.reference)):
        found = compared.reference in compared.answer
        return Judgement(_FULL if found else _NOTHING, f"the answer {'has' if found else 'lacks'} the reference's sign")
    if not compared.sentences:
        return Judgement(_NOTHING, "the answer says nothing: it has no words, repeats the query or only gives orders")
    return None


def _refusal(compared: _Compared) -> Judgement | None:
    refers, refuses = _refuses(compared.reference), _refuses("\n".join(compared.sentences))
    if refers and refuses:
        return Judgement(_REFUSED_RIGHTLY, "both say that there is no answer to give")
    if refuses and not any(one.share for one in compared.findings if one.demand.essential):
        return Judgement(_REFUSED, "the answer says that it has none, and the reference has one")
    return Judgement(_REFUSED, "the reference says that there is no answer to give") if refers else None


def _courtesy(compared: _Compared) -> Judgement | None:
    """Of greetings, thanks and offers one is as good as another, where they are not what is asked for."""
    analysis = compared.analysis
    if analysis.question.marked or is_request(analysis.interaction.user_query):
        return None
    if all(map(_is_courteous, split_sentences(compared.reference))) and all(map(_is_courteous, compared.sentences)):
        return Judgement(_FULL, "the answer is a courtesy, as the reference is")
    return None


def _is_courteous(sentence: str) -> bool:
    if _OFFERS_HELP.search(fold(sentence)):
        return True
    one = read_statement(sentence)
    return is_said_beside(one, ()) or (bool(one.stems) and GREETING_WORDS.issuperset(one.surface.values()))


_SPEAKS_FOR_ITSELF = re.compile(
    r"\b(?:i|we|i'm|there is|there's|it is|it's|sorry|unfortunately|the (?:context|text|document|passage|article))\b|"
    r"[^\x00-\x7f]"
)


def _refuses(text: str) -> bool:
    """Whether a text is a refusal, and not a statement in which something is refused."""
    folded = fold(text[:600])
    return is_refusal(folded) and _SPEAKS_FOR_ITSELF.search(folded) is not None


def _option(compared: _Compared) -> Judgement | None:
    """A reference of one letter is never looked up as a word: "a" stands in every text."""
    wanted = sole_letter(compared.reference)
    if wanted is None:
        return None
    chosen = chosen_letters(compared.sentences) or letters_alone(compared.sentences, wanted)
    if chosen == {wanted}:
        return Judgement(_FULL, f"the answer chooses {wanted}, as the reference does")
    said = " and ".join(sorted(chosen)) or "no option"
    return Judgement(_OTHER, f"the answer chooses {said}, the reference {wanted}")


def _code(compared: _Compared) -> Judgement | None:
    if not is_code(compared.reference):
        return None
    if same_code(compared.reference, compared.answer):
        return Judgement(_FULL, "the answer has the reference's code")
    share = share_of_code(compared.reference, compared.answer)
    return Judgement(min(_INCOMPLETE, share**2), f"the answer has {share:.0%} of the reference's code")


def _stance(compared: _Compared) -> Judgement | None:
    """A question that wants yes or no, or a reference that begins with one, is answered by which of the two it is."""
    question = compared.analysis.question
    wanted = stance_of(compared.texts.reference, question, compared.texts.query)
    if wanted is None:
        return None
    said = stance_of(compared.texts.answer, question, compared.texts.query)
    if said is None:
        return None
    if said != wanted:
        yes, no = ("yes", "no") if said else ("no", "yes")
        return Judgement(_OPPOSITE, f"the answer says {yes}, the reference {no}")
    detail = _by_demands(compared)
    if contradiction(compared.texts, compared.findings):
        return detail
    score = _STANCE_ALONE + (_FULL - _STANCE_ALONE) * detail.score
    return Judgement(score, f"the answer says {'yes' if said else 'no'}, as the reference does")


def _one_of_those_named(compared: _Compared) -> Judgement | None:
    """The query names what to choose from: the first that the answer names is its choice."""
    question = compared.analysis.question
    options = {loose(word): word for word in sorted(question.options - STOP_WORDS)}
    wanted = {loose(word) for clause in compared.texts.reference for word in clause.words}.intersection(options)
    if question.asks is not Asks.CHOICE or len(wanted) != 1:
        return None
    for clause in compared.texts.answer:
        chosen = [option for word in clause.words if (option := loose(word)) in options]
        if not chosen or clause.negated or (len(set(chosen)) > 1 and not _COMPARES.search(clause.text)):
            continue
        if chosen[0] not in wanted:
            return Judgement(_OTHER, f"the answer chooses {options[chosen[0]]!r}, the reference another")
        return None
    return None


def _surname(compared: _Compared) -> Judgement | None:
    """A person may be called by the last name alone, as long as no other first name stands before it."""
    runs = _NAME_RUN.findall(compared.reference)
    if compared.analysis.question.asks is not Asks.PERSON or len(runs) != 1:
        return None
    names = runs[0][-_LONGEST_NAME:].split()
    found = re.search(rf"(?:(\w[\w.'-]*)\s+)?\b{re.escape(names[-1])}\b", "\n".join(compared.sentences), re.IGNORECASE)
    if found is None or contradiction(compared.texts, compared.findings):
        return None
    before = found[1] or ""
    expected = before.lower() in {*map(str.lower, names), *_TITLES, *STOP_WORDS}
    return (
        None
        if before[:1].isupper() and not expected
        else Judgement(_FULL, f"the answer names {names[-1]}, as the reference does")
    )


def _by_demands(compared: _Compared) -> Judgement:
    findings = compared.findings
    total = math.fsum(one.demand.weight for one in findings)
    share = math.fsum(one.demand.weight * one.share for one in findings) / total if total else 0.0
    score = _OTHER + (_FULL - _OTHER) * share ** _exponent(findings)
    missing = [one.demand for one in findings if one.share < 1]
    if any(one.essential for one in missing) and _is_strict(findings):
        score = min(score, _INCOMPLETE)
    against = contradiction(compared.texts, findings)
    if against:
        return Judgement(min(score, against.highest_score), against.reason)
    if not missing:
        return Judgement(score, "the answer says what the reference says")
    return Judgement(score, f"the answer does not say {named([one.text for one in missing])}, as the reference does")


def _exponent(findings: Sequence[Finding]) -> float:
    """The more there is to say, the more of it is said in words of one's own."""
    count = sum(one.demand.weight >= 1 for one in findings)
    return max(_MANY_EXPONENT, 1 - max(0, count - _FEW) * _EASED_BY)


def _is_strict(findings: Sequence[Finding]) -> bool:
    """Whether every essential demand has to be met: where they are few, or all that there is, as in a list."""
    essential = sum(one.demand.essential for one in findings)
    plain = sum(one.demand.weight >= 1 and not one.demand.essential for one in findings)
    return plain <= 2 * essential
