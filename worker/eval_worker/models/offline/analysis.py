"""What all the judges of one interaction want to know of its texts, found out once."""

import weakref
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import count

from eval_worker.evaluation.instructions.language import LANGUAGES, asked_language, is_written_in
from eval_worker.evaluation.instructions.request import Request, read_request
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.prechecks.direct_answer import MOST_WORDS_OF_DIRECT_ANSWER, why_direct
from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction
from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.multiple_choice import is_pick, options_of
from eval_worker.evaluation.text.question import Question, read_question
from eval_worker.evaluation.text.short_answers import is_filler, polarity
from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.context.attribution import Attribution, Evidence
from eval_worker.models.offline.context.grounding import Ground, Index, Premise
from eval_worker.models.offline.context.knowledge import knowledge_in
from eval_worker.models.offline.context.salience import Salience
from eval_worker.models.offline.context.support import Support, support_of, support_of_yes_or_no
from eval_worker.models.offline.cores.as_read import as_read
from eval_worker.models.offline.cores.core import cores_of
from eval_worker.models.offline.cores.excerpt import excerpt
from eval_worker.models.offline.cores.padding import padding_in, repeats_of, why_nothing_is_left
from eval_worker.models.offline.cores.said_again import runs_on, said_before
from eval_worker.models.offline.cores.ties import stems_of
from eval_worker.models.offline.reading.announcement import claiming
from eval_worker.models.offline.reading.dialogue import Dialogue, read_dialogue
from eval_worker.models.offline.reading.greeting import is_greeting
from eval_worker.models.offline.reading.refusal import declines
from eval_worker.models.offline.reading.requests import is_request
from eval_worker.models.offline.reading.senseless import is_word_salad, share_of_gibberish
from eval_worker.models.offline.reading.statement import Reader, Statement, capitals_in, claim_of, names_by
from eval_worker.models.offline.reading.synonyms import meaning
from eval_worker.models.offline.reading.tokens import cut_tokenised, keys_of
from eval_worker.models.offline.reading.vocabulary import COURTESY, REQUEST_WORDS

_LONG_QUERY = 60
_FRAGMENT_WORDS = 7
_WORDS_OF_ITEM = 4
_MOST_GIBBERISH = 0.3
_SCANNED = 2000
_WORDS_OF_YES = 2
_BORNE_OUT_AT_ALL = 0.5
_EXPLAINED, _FEW_CLAIMS = frozenset({Asks.OPEN, Asks.UNKNOWN, Asks.NAME, Asks.POLAR}), 3
_IS_THE_CLAIM = frozenset({Asks.POLAR, Asks.CHOICE})
_COPIED = 0.75  # of its runs of words


class Analysis:
    """Every property is found when it is first asked for; none of them changes afterwards."""

    def __init__(self, interaction: Interaction, whole: "Analysis | None" = None, *, alone: bool = False) -> None:
        """`alone` leaves out of account what else stands in the whole.

        `whole`, if any, is the analysis of what this was taken from, freed of padding, with the same context. Its core
        does not keep it alive, so whoever asks a core does: a cycle would wait for the garbage collector.
        """
        self.reader = whole.reader if whole else Reader()
        self.interaction = interaction if whole else as_read(interaction, self.reader)
        self._whole: Analysis | None = weakref.proxy(whole) if whole else None
        self._beside = None if alone else self._whole

    @cached_property
    def question(self) -> Question:
        return read_question(self.interaction.user_query)

    @cached_property
    def request(self) -> Request:
        """The query, told apart into orders and material to work on."""
        query, whole = self.interaction.user_query, self._whole
        return whole.request if whole and whole.interaction.user_query == query else read_request(query)

    @cached_property
    def query(self) -> Statement:
        return self.reader.read_sentence(self.interaction.user_query)

    @cached_property
    def query_sentences(self) -> list[Statement]:
        return self.reader.read(self.interaction.user_query)

    @cached_property
    def asked(self) -> Statement:
        """The query; of a long one, its question."""
        return self.query if len(self.query.words) <= _LONG_QUERY else self.reader.read_sentence(self.question.text)

    @cached_property
    def topic(self) -> tuple[str, ...]:
        """The stems that the query is about; of a long query, those of its question."""
        asked = self.asked
        topic = tuple(stem for stem in asked.stems if asked.surface[stem] not in REQUEST_WORDS)
        return tuple(stem for stem in topic if not stem.isdecimal()) or topic

    @cached_property
    def whole_topic(self) -> tuple[str, ...]:
        """Of a long query all that it speaks of, whatever its question is about."""
        if self.asked is self.query:
            return self.topic
        return tuple(stem for stem in self.query.stems if self.query.surface[stem] not in REQUEST_WORDS)

    @cached_property
    def _read_answer(self) -> tuple[list[Statement], set[int]]:
        """The answer's sentences, and the places among all of it of those that are left out."""
        everything = self.reader.read(self.interaction.answer)
        find = repeats_of if self._whole else padding_in
        padding = find(self.query_sentences, everything, self.context)
        return [one for place, one in enumerate(everything) if place not in padding], padding

    @property
    def answer(self) -> list[Statement]:
        """The answer's sentences, without padding: the query repeated, orders to whoever judges it, empty words."""
        return self._read_answer[0]

    @cached_property
    def loose(self) -> list[Statement]:
        """The claims, each once, that are left out here and stand in the whole."""
        if self._beside is None:
            return []
        kept = {one.words for one in self.answer}
        return list({one.words: one for one in self._beside.claims if one.words not in kept}.values())

    @cached_property
    def unlinked(self) -> list[Statement]:
        """The claims that share no word with the query, the context and each other."""
        counts = Counter(stem for stems in {claim.stems for claim in self.claims} for stem in stems)
        return [one for one in self._not_given(self.claims) if not any(counts[stem] > 1 for stem in one.stems)]

    @cached_property
    def unlinked_loose(self) -> list[Statement]:
        """The loose claims that share no word with the query, the context and this answer."""
        return [one for one in self._not_given(self.loose) if self.answer_stems.isdisjoint(one.stems)]

    def _not_given(self, claims: Iterable[Statement]) -> Iterator[Statement]:
        asked, given = self.query.surface, self.ground
        unknown = (one for one in claims if one.stems and not any(stem in asked or stem in given for stem in one.stems))
        return (one for one in unknown if not any(map(given.has_form_of, one.stems)))

    @cached_property
    def all_said(self) -> list[Statement]:
        """The sentences of the whole, loose ones too: more of them may count against the answer, never for it.

        What is padding but for saying again a sentence of the answer is among them.
        """
        if self._beside:
            return self._beside.all_said
        padding = self._read_answer[1]
        if not padding:
            return self.answer
        kept = {one.words for one in self.answer}
        everything = enumerate(self.reader.read(self.interaction.answer))
        return [one for place, one in everything if place not in padding or runs_on(one, kept)]

    @property
    def all_claims(self) -> list[Statement]:
        """The claims of the whole, loose ones too."""
        return self._beside.claims if self._beside else self.claims

    @cached_property
    def said(self) -> list[Statement]:
        """The answer's sentences as often as the whole has them."""
        if self._beside is None:
            return self.answer
        kept = {one.words: one for one in self.answer}
        again = (said_before(one, kept) for one in self.all_said)
        return [kept[words] for words in again if words is not None] or self.answer

    @cached_property
    def claims_said(self) -> list[Statement]:
        """The claims as often as the whole has them."""
        claims = {one.words for one in self.claims}
        return [one for one in self.said if one.words in claims] if self._beside else self.claims

    @property
    def texts(self) -> list[str]:
        """The answer, and the whole that it was taken from: what is asked of its form is asked of both."""
        return [self.answer_text, self._beside.answer_text] if self._beside else [self.answer_text]

    @property
    def whole_text(self) -> str:
        """The answer that this was taken from, without padding."""
        return self._whole.answer_text if self._whole else self.answer_text

    @cached_property
    def answer_text(self) -> str:
        """The answer without what was left out; as it was written where nothing was, layout and all."""
        places, padding = count(), self._read_answer[1]
        if not padding:
            return self.interaction.answer
        return excerpt(self.interaction.answer, lambda _: next(places) not in padding)

    @cached_property
    def answer_stems(self) -> frozenset[str]:
        return frozenset[str]().union(*(one.stems for one in self.answer))

    @cached_property
    def answer_meanings(self) -> frozenset[str]:
        """The answer's stems, each as the one that stands for all that mean the same."""
        return frozenset(map(meaning, self.answer_stems))

    @cached_property
    def answer_words(self) -> list[str]:
        return [word for one in self.answer for word in one.words]

    @cached_property
    def claims(self) -> list[Statement]:
        """The sentences that say something: no courtesy, no question back."""
        return [one for one in self.answer if one.words and not one.is_question and not COURTESY.match(one.text)]

    @cached_property
    def context(self) -> list[Statement]:
        return self._whole.context if self._whole else self.reader.read(self.interaction.context)

    @cached_property
    def evidence(self) -> Evidence:
        """The knowledge in the context, to look up what can be attributed to it."""
        if self._whole:
            return self._whole.evidence
        knowledge = knowledge_in(self.interaction.context)
        sentences = self.context if knowledge == self.interaction.context else self.reader.read(knowledge)
        pieces = (piece for one in sentences for piece in cut_tokenised(one, self.reader))
        asks = self.question.marked or is_request(self.interaction.user_query)
        told = asks and self.question.asks not in _IS_THE_CLAIM and len(self.answer) == 1
        return Evidence(pieces, keys_of(self.asked.words) if told else ())

    @cached_property
    def attributed(self) -> list[tuple[Statement, Attribution]]:
        """The answer's sentences, each once, with what the context has of them; no courtesy where there is more."""
        if self._whole:
            kept = {piece.words for one in self.answer for piece in cut_tokenised(one, self.reader)}
            found = [pair for pair in self._whole.attributed if pair[0].words in kept]
            if found:
                return found
        answer = [piece for one in self.answer for piece in cut_tokenised(one, self.reader)]
        distinct = {one.words: one for one in claiming(answer, in_talk=self.dialogue is not None)}.values()
        return [(one, piece) for one in distinct for piece in self.evidence.attribution_of(one)]

    @cached_property
    def _copied(self) -> frozenset[tuple[str, ...]]:
        """The words of the sentences that the context has in this form."""
        literal = (pair for pair in self.attributed if not (pair[1].missing or pair[1].denied))
        return frozenset(one.words for one, found in literal if found.copied >= _COPIED)

    @cached_property
    def ground(self) -> Ground:
        spoken_of = stems_of([self.query, *self.answer])
        relevant = sum(not spoken_of.isdisjoint(one.stems) for one in self.context)
        names = names_by(self._index.capitals, capitals_in([self.query, *self.answer]))
        return Ground(self._index, names, relevant)

    @cached_property
    def _index(self) -> Index:
        return self._whole._index if self._whole else Index(self.context)  # noqa: SLF001  # of the same class

    @cached_property
    def salience(self) -> Salience:
        return self._whole.salience if self._whole else Salience(self.context)

    @cached_property
    def dialogue(self) -> Dialogue | None:
        return read_dialogue(self.query_sentences, self.context)

    @cached_property
    def cores(self) -> list["Analysis"]:
        """What the whole may not be judged better than; to a greeting all of it belongs."""
        if is_greeting(self.interaction.user_query):
            return []
        bare = replace(self.interaction, answer=self.answer_text)
        found = cores_of(bare, self.reader, answer=self.answer, context=self.context)
        beside = [Analysis(core, self) for core in found.beside if core.answer.strip("> \n«»")]
        return [*beside, *(Analysis(core, self, alone=True) for core in [found.alone] if core)]

    @cached_property
    def yes_or_no(self) -> bool | None:
        words = Words(self.answer_text[:200])
        return polarity(words.sequence, self.answer_text.strip()) if self.answer_text.strip() else None

    @cached_property
    def direct(self) -> bool:
        if len(self.answer_words) > MOST_WORDS_OF_DIRECT_ANSWER:
            return False
        cleaned = Interaction(self.interaction.user_query, self.answer_text, self.interaction.context)
        return why_direct(WordsOfInteraction(cleaned)) is not None

    @cached_property
    def picks_option(self) -> bool:
        """Whether the answer is one of the options that the query puts up, and no more."""
        return is_pick(self.answer_text, options_of(self.interaction.user_query))

    @cached_property
    def language_asked_for(self) -> str | None:
        """The language of the answer, where the query asked for one that is not its own."""
        language = asked_language(self.interaction.user_query[:_SCANNED])
        if language is None or not is_written_in(language, self.answer_text):
            return None
        is_own = is_written_in(language, self.interaction.user_query, in_doubt=False)
        return None if is_own else LANGUAGES[language].name

    @cached_property
    def refusal(self) -> bool:
        return declines(self.answer_text, self.answer)

    @cached_property
    def is_fragment(self) -> bool:
        """Whether the answer is a few words that only make a claim together with the query."""
        if self.picks_option:
            return True
        if len(self.claims) != 1 or len(self.claims[0].words) > _FRAGMENT_WORDS:
            return False
        shared = len(self.answer_stems.intersection(self.topic))
        return shared * 2 < max(1, len(self.topic)) or len(self.claims[0].stems) <= 1

    @cached_property
    def is_list(self) -> bool:
        """Whether the answer is nothing but short items."""
        return len(self.claims) > 1 and all(len(claim.words) <= _WORDS_OF_ITEM for claim in self.claims)

    @cached_property
    def nothing_said(self) -> str | None:  # noqa: PLR0911  # the first rule that applies decides
        """Why the answer is none at all, or None."""
        if not self.answer:
            if self.yes_or_no is not None and self.direct:
                return None
            return why_nothing_is_left(self.query_sentences, self.reader.read(self.interaction.answer))
        if self.direct:
            return None
        if is_filler(self.answer_words):
            return f"{self.answer_text.strip()[:40]!r} says nothing about the query"
        if self.share_of_gibberish > _MOST_GIBBERISH:
            return "the answer is not made of words"
        if is_word_salad([word for one in self.said for word in one.words]):
            return "the answer is a heap of words, not sentences"
        return None

    @cached_property
    def share_of_gibberish(self) -> float:
        return share_of_gibberish(self.answer_words)

    @cached_property
    def premise(self) -> Premise:
        return Premise(
            self.question.asks,
            self.question.marked,
            self.topic,
            self.is_fragment,
            len(self.claims) == 1,
            frozenset(self.query.stems),
            self.query.numbers,
            frozenset(self.query.words),
        )

    @cached_property
    def support(self) -> list[Support]:
        """How the context bears out each claim, in order; empty without a context or a claim."""
        if not self.context or self.refusal:
            return []
        if self.yes_or_no is not None and self.says_only_yes_or_no:
            premise = Premise(self.question.asks, self.question.marked, self.topic, is_fragment=True)
            return [support_of_yes_or_no(self.ground, self.query, premise, says_yes=self.yes_or_no)]
        if self.is_fragment:
            return [support_of(self.ground, claim_of(self.query, self.answer_text), self.premise)]
        return [self._support_of(claim) for claim in self.claims]

    def _support_of(self, claim: Statement) -> Support:
        """What the context says in so many words it does not contradict, whatever the rules make of it."""
        found = support_of(self.ground, claim, self.premise)
        return replace(found, conflict=None) if found.conflict and claim.words in self._copied else found

    @cached_property
    def says_only_yes_or_no(self) -> bool:
        return self.direct and len(self.answer_words) <= _WORDS_OF_YES and self.yes_or_no is not None

    @cached_property
    def contradictions(self) -> list[Support]:
        """Of a whole, those of its cores: what has nothing to do with the context does not speak against it."""
        judged = (self.cores if self._whole is None else None) or [self]
        return [one for each in judged for one in each.support if one.conflict]

    @cached_property
    def all_contradicted(self) -> bool:
        """Of what the context can tell about; claims that it does not bear out say nothing either way.

        An explanation in several sentences is not undone by one of them, whatever the context has of the others.
        """
        claims = [one for one in self.support if one.claim.stems]
        told = sum(one.conflict is not None or one.score > _BORNE_OUT_AT_ALL for one in claims)
        explains = self.question.asks in _EXPLAINED and len(claims) > _FEW_CLAIMS
        return len(self.contradictions) * 2 > (len(claims) if explains else told)

    @cached_property
    def borne_out_stems(self) -> frozenset[str]:
        """Stems of the answer, and of the context's sentences that its claims restate, without contradicted claims."""
        if not self.support:
            return self.answer_stems
        contradicted = {one.claim.text for one in self.contradictions}
        own = {s for one in self.answer if one.text not in contradicted for s in one.stems}
        return frozenset(own.union(*(one.restated for one in self.support if not one.conflict)))
