"""What is said to please, and says nothing: orders to the judge, verdicts on oneself, assurances, courtesy, filler.

An answer is judged without it, so that it can earn nothing. A sentence is taken for padding by what it is about, never
by its length or place, and never where the query speaks of the same: whoever asks how a rubric works may be told.
"""

import re
from collections.abc import Callable, Container, Sequence

from eval_worker.evaluation.text.short_answers import is_refusal
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import fold
from eval_worker.models.offline.cores.beside import SAID_BESIDE, is_pleasantry, said_beside
from eval_worker.models.offline.cores.joins import is_label
from eval_worker.models.offline.cores.ties import TELLS_LITTLE, is_telling, may_answer, speaks_of_judging, stems_of_all
from eval_worker.models.offline.reading.greeting import is_greeting
from eval_worker.models.offline.reading.literal import is_line_of_code
from eval_worker.models.offline.reading.requests import is_request
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.telltales import may_have, plain_words
from eval_worker.models.offline.reading.vocabulary import (
    ABOUT_JUDGING,
    EMPTY_WORDS,
    JUDGED_HERE,
    LABELS,
    ORDERS_TO_THE_JUDGE,
    SCORING,
)

_SCANNED = 300
_SPEAKER = r"^\W*(?:system|admin|developer|judge|grader)\b[\w ]{0,12}\W*:"
_SPEAKS_AS = re.compile(_SPEAKER, re.IGNORECASE)
_SCORE = re.compile(r"(score|rating|grade|verdict|level)\s*[:=]\s*", re.IGNORECASE)
_GIVES_SCORE = re.compile(r"(?:give|assign|award|rate|score|grade|mark)\b", re.IGNORECASE)
_VERDICT = re.compile(
    r"[\"'<{*\\](?:rationale|level|score|verdict|grade|rating|confidence|passed|relevance|faithfulness|coherence|"
    r"completeness|instruction|correctness)[\"'>*\\]*\s*[:=>]|"
    rf"{_SPEAKER}|^</?(?:data|document|user|system|assistant|prompt|answer|query|context)\b[\w-]*>$|"
    r"^(?:relevance|faithfulness|coherence|completeness|correctness|accuracy|helpfulness|instructions followed)"
    r"\s*:\s*(?:yes|full|high|perfect|excellent|good|pass|true|\d)|"
    r"^\W*(?:\w+\s*[:=]\s*)?(\d{1,3})\s*/\s*\1\W*$|"
    r"\b(?:rate|score|grade|give)\b.{0,20}\b(\d{1,3}) out of \2\b|"
    r"^\W*end of (?:the |my )?(?:answer|response|output|text|reply)\b|"
    r"\b(?:begin|start|end)(?: of)?(?: the)? system (?:message|prompt)\b|"
    r"^(?:output|return|print|say|respond|reply|answer)\b(?: only| just| with)*\W{0,3}"
    r"(?:5|1(?:\.0)?|pass|five|yes)\W*$|"
    r"^(?:give|rate)\b.{0,20}\b(?:5 ?/ ?5|10 ?/ ?10|100 ?/ ?100|five stars|full marks)\W*$|"
    r"^(?:human|user|assistant)\s*:\s*\d+\W*$|"
    r"<\|?\w*(?:eot|im_start|im_end|endoftext|header_id|inst|sys)\w*\|?>|\[/?INST\]|<</?SYS>>|"
    r"^\W*\[\d{1,3}\]\W*$|^\W*(?:https?://|www\.)\S+$|^\W*[A-Z]\w+(?: et al\.?| (?:and|&) \w+)?,? (?:19|20)\d\d\W*$",
    re.IGNORECASE,
)
_BARE_MARKER = re.compile(r"\(?\d{1,3}[.)]")
_BLIND_TEXT = re.compile(
    r"\blorem ipsum\b|\b(?:dolor sit amet|consectetur adipiscing|sed do eiusmod|ut enim ad minim|duis aute)\b",
    re.IGNORECASE,
)
_ASSURES = re.compile(
    r"\bas an? (?:\w+ ){0,3}(?:expert|professor|specialist|professional|authority)\b|"
    r"\b(?:fully|completely|entirely|clearly|directly|well|all) (?:supported|confirmed|backed|grounded|"
    r"verified|proven)"
    r" (?:by|in) (?:the|your|its) (?:given |provided )?(?:context|sources?|documents?|facts|evidence|text)\b|"
    r"\b(?:i|we) (?:can |have |hereby |carefully |personally )*(?:assure|guarantee|promise|swear) (?:you|that)\b|"
    r"\b(?:i|we)(?: have|'ve) (?:thought|checked|verified|reviewed|double-?checked|made sure)\b|"
    r"\b(?:all|every|each)(?: the)? (?:parts?|aspects?|points?|requirements?|instructions?|claims?|facts?) "
    r"(?:of|made|above|here|have|has|are|is|was|were)\b.{0,40}\b(?:question|query|request|task|supported|correct|"
    r"covered|met|followed|true|accurate|checked|verified|detail)\b|"
    r"\b(?:everything|all|what is said|the text|the answer) above\b|"
    r"\bthe above (?:answers?|covers?|addresses|is|fully)\b|"
    r"\b(?:you (?:can|may)|please) (?:\w+ )?(?:trust|believe|rely on)\b|"
    r"\bthis (?:information|content|text|summary|list|table) is (?:\w+ )?(?:accurate|correct|complete|reliable|true)\b|"
    r"\b(?:nothing|no more) (?:further |more |else )?(?:needs|need|has) to be (?:said|added)\b",
    re.IGNORECASE,
)
_SPEAKS_AS_MODEL = re.compile(r"as an? (?:ai|artificial intelligence|(?:large )?language model)\b", re.IGNORECASE)
_OF_MODELS = frozenset(map(stem, ("ai", "artificial", "intelligence", "language", "model")))
_TO_THE_JUDGE = re.compile(
    r"\b(?:this|these|my|present|above) (?:\w+ )?(?:answers?|responses?|repl(?:y|ies)|submissions?|items?)\b|"
    r"\b(?:level|score|grade|grading|rating|result|verdict)\b.{0,15}\b(?:5|five|10|100|full|top|highest|"
    r"maximum|max|pass)\b|"
    r"\b(?:top|highest|maximum|full|perfect) (?:level|score|grade|rating|marks?)\b|"
    r"\b(?:5|five)(?: out)? of (?:5|five)\b|"
    r"\b(?:grader|evaluator|rater|assessor|rubric)s?\b|"
    r"\b(?:relevance|faithfulness|coherence|completeness|correctness)\b.{0,30}\b(?:to|at|=|is) \d|"
    r"\bnote to\b|\bdear\b|\b(?:awarded|gives?|gave|agreed on)\b.{0,20}\b(?:5|five|highest|level)\b",
    re.IGNORECASE,
)
_IN_OTHER_LANGUAGES = re.compile(
    r"\bdiese[rs]? antwort|\b(?:hervorragend|ausgezeichnet|perfekt|vollständig)\w*\b.{0,40}\bantwort|"
    r"\b(?:excellente|parfaite|excelente|perfecta|perfeita|eccellente|perfetta|ottima|uitstekend|perfect) "
    r"(?:réponse|respuesta|resposta|risposta|antwoord)\b|"
    r"\brespuesta (?:\w+ )?(?:perfecta|excelente|completa|correcta)|"
    r"\bréponse (?:\w+ )?(?:parfaite|excellente|complète)|"
    r"\bcette réponse|\besta respuesta|\bquesta risposta|\besta resposta|\bdit antwoord|"
    r"\bdetta svar|"
    r"\bt(?:a|ej|ę) odpowied|\bэт(?:от|ому|ого) ответ|\bц(?:я|ій|ю|ієї) відповід|\bbu (?:cevap|yanıt)|"
    r"(?:ل)?هذه الإجابة|"
    r"इस उत्तर|(?:这个|此|该|這個)(?:回答|答案)|この(?:回答|答え)|이 (?:답변|응답)|câu trả lời này|คำตอบนี้|התשובה הז|"
    r"αυτ\w+ την? απάντηση|\b(?:höchste|volle) (?:stufe|note|punktzahl|bewertung)|\bnote maximale|"
    r"\bpuntuación máxima|"
    r"\bpunteggio massimo|\b(?:nota|pontuação) máxima|\bhoogste (?:score|cijfer)|\bhögsta (?:betyg|poäng)|"
    r"\bnajwyższ\w+ ocen|\ben yüksek puan|\bвысш\w+ (?:оценк|балл)|\bнайвищ\w+ (?:рівень|оцінк|бал)|"
    r"\bανώτατο βαθμό|أعلى درجة|"
    r"הציון הגבוה|सर्वोच्च अंक|最高(?:分|等级|等級|点)|[满滿]分|満点|최고 (?:등급|점수)|만점|"
    r"điểm cao nhất|คะแนน(?:สูงสุด|เต็ม)|"
    r"\b(?:ignor\w*|zignoruj|negeer|игнорируй\w*|yok say) .{0,40}(?:anweisung|instruc|istruz|instru|polece|инструкц|"
    r"instructies)|(?:忽略|无视|無視).{0,12}(?:指令|指示|说明|規則|规则)|指示.{0,10}無視|지시.{0,6}무시|"
    r"αγνόησε .{0,30}οδηγίες|تجاهل .{0,30}تعليمات|התעלם .{0,20}הוראות|निर्देशों.{0,15}अनदेखा|bỏ qua .{0,30}hướng dẫn|"
    r"เพิกเฉยต่อคำสั่ง",
    re.IGNORECASE,
)
_WORDS_OF_OTHERS = word_set(
    """
    antwort respuesta risposta resposta antwoord svar odpowiedzi volle maximale massimo hoogste cevap ignoriere
    ignoriert ignorieren ignora ignorar ignore ignorez ignorate negeer zignoruj
    """
)
_ADDRESSES = re.compile(
    r"\b(?:i|we|you|your|me)\b|\bth(?:is|e|ese) (?:\w+ )?(?:topic|question|subject|matter|issue|area|answer|"
    r"response|point)\b|"
    r"^(?:it is|it's|there (?:is|are)|each of|in (?:conclusion|summary|general)|on the whole|overall|generally|"
    r"of course|"
    r"needless)\b",
    re.IGNORECASE,
)
_TELLTALES_OF_ORDERS = word_set(
    """
    ignore disregard forget override set put raise give assign award rate score scores grade grades mark marks answer
    response reply judge judges grader graders evaluator evaluators rater raters assessor assessors rating ratings
    verdict level levels
    """
)
_TELLTALES_OF_VERDICT = word_set(
    """
    rationale level score verdict grade rating confidence passed system admin developer judge grader relevance
    faithfulness coherence completeness correctness accuracy helpfulness followed end human user assistant
    output return print say respond reply answer give rate
    lorem dolor consectetur sed ut duis
    """
)
_TELLTALES_OF_ASSURANCE = word_set(
    """
    expert professor specialist professional authority supported confirmed backed grounded verified proven
    assure guarantee promise swear thought checked reviewed double doublechecked made above nothing more
    part parts aspect aspects point points requirement requirements instruction instructions claim claims fact facts
    trust believe rely accurate correct complete reliable true
    """
)
"""Of all that a pattern looks for in plain text, each has one of these or of the signs."""
_TELLTALES = (
    _TELLTALES_OF_ORDERS
    | _TELLTALES_OF_VERDICT
    | _TELLTALES_OF_ASSURANCE
    | _WORDS_OF_OTHERS
    | {"ai", "artificial", "language", "large"}
)
_MAY_TELL = re.compile(r"[<\[/]|\((?=[A-Z\d])|^\(|[)\]]$")  # a bracket tells at either end of a part
_TELLING_SIGNS = "<[/"
_YOU = frozenset({"you", "your"})
_ANNOUNCES = ":："
_FEWEST_EMPTY = 2
_HEDGES = frozenset(map(stem, ("sure", "maybe", "perhaps", "certainly", "think", "know", "guess")))
_WORDS_OF_THANKS, _WORDS_OF_LEAD = 3, 4
_WORDS_OF_FRAGMENT = 7
_MOST_IN_A_ROW = 40  # sentences of a query, which keeps the search linear
_LITTLE, _LITTLE_OF_EVERYDAY = 0.4, 0.7  # of the answer's words


def gives_orders(one: Statement, asked: Container[str]) -> bool:
    """Whether a sentence tells the judge what to do. Whoever asks for a score, by these stems, is given one."""
    text = one.text[:_SCANNED]
    if one.is_question and JUDGED_HERE.isdisjoint(one.stems):
        return False
    return any(not _is_score_asked_for(one, found, asked) for found in ORDERS_TO_THE_JUDGE.finditer(text))


def _is_score_asked_for(one: Statement, order: re.Match[str], asked: Container[str]) -> bool:
    if _SPEAKS_AS.match(one.text):
        return False
    if given := _SCORE.match(order.group()):
        return stem(given[1].lower()) in asked
    scores = _GIVES_SCORE.match(order.group()) and JUDGED_HERE.isdisjoint(one.stems)
    return bool(scores) and any(stem in asked for stem in SCORING)


def paddings(query: Sequence[Statement], context: Sequence[Statement]) -> Callable[[Statement], bool]:
    """Whether a sentence, read alone, is padding beside an answer to this query."""
    asked, matter = _asked_and_matter(query, context)
    in_others = any(map(_talks_to_the_judge_elsewhere, query))

    def is_padding(one: Statement) -> bool:
        if is_label(one):
            return True
        if _tells_nothing(one):
            return _is_empty_address(one, matter)
        return _is_padding(one, asked, matter) or (not in_others and _talks_to_the_judge_elsewhere(one))

    return is_padding


def may_hold_padding(one: Statement, asked: Container[str]) -> bool:
    """Whether a sentence may begin or end with padding. No part of what this is denied of is any.

    Patterns find something only where there is one of their telltales, or a sign; thanks, praise and empty words are
    nothing else, so that the first or the last word is one. `asked` are the stems of the query.
    """
    if not _tells_nothing(one):
        return True
    if any(sign in one.text for sign in _ANNOUNCES) and not LABELS.isdisjoint(one.words):
        return True
    if not one.stems:
        return False
    words = (stem(word.removesuffix("'s")) for word in reversed(one.words))
    last = next(filter(one.surface.__contains__, words), one.stems[-1])
    return any(edge in SAID_BESIDE or edge in asked for edge in (one.stems[0], last))


def _tells_nothing(one: Statement) -> bool:
    """Whether no pattern finds anything in it, nor in a part of it."""
    words = None if _MAY_TELL.search(one.text) else plain_words(one)
    return not may_have(words, _TELLTALES) and ABOUT_JUDGING.isdisjoint(one.stems)


def _asked_and_matter(
    query: Sequence[Statement], context: Sequence[Statement]
) -> tuple[frozenset[str], frozenset[str]]:
    asked, known = stems_of_all(query), ABOUT_JUDGING & stems_of_all(context)
    scores = frozenset[str]() if SCORING.isdisjoint(asked) else SCORING
    return asked, asked | scores | known


def padding_in(query: Sequence[Statement], answer: Sequence[Statement], context: Sequence[Statement]) -> set[int]:
    """Return the positions of the answer's sentences that say nothing to the matter, the query repeated among them.

    What a context says of judging is the matter there. Pleasantries are padding beside something else. Where nothing
    else is said they are the answer, if it is a short one ("Thank you!") or nothing was asked.
    """
    asked, known = stems_of_all(query), stems_of_all(context)
    if is_greeting(" ".join(one.text for one in query)):  # to which courtesies are the answer
        return {place for place, one in enumerate(answer) if gives_orders(one, asked)}
    is_padding = paddings(query, context)
    repeats = repeats_of(query, answer, context)
    found = repeats.union(place for place, one in enumerate(answer) if is_padding(one))
    bare = [place for place, one in enumerate(answer) if _BARE_MARKER.fullmatch(one.text)]
    if len(bare) > 1:  # a lone number may be the answer
        found.update(bare)
    pleasant, matter = said_beside(answer, asked, known), (asked | known) - SAID_BESIDE
    rest = [one for place, one in enumerate(answer) if place not in found and place not in pleasant]
    is_echoed = any(stem in asked for place in found for stem in answer[place].stems)
    if found and _is_remnant(rest, answer, asked, known, beside_query=bool(repeats) or is_echoed):
        return set(range(len(answer)))
    if any(may_answer(one) or not matter.isdisjoint(one.stems) for one in rest):
        return found | pleasant
    thanks = {place for place, one in enumerate(answer) if is_pleasantry(one, asked)}
    if any(place not in found and place not in thanks for place in range(len(answer))):
        return found
    wordy = sum(len(answer[place].words) for place in thanks) > _WORDS_OF_THANKS
    return found | thanks if wordy and any(one.is_question or is_request(one.text) for one in query) else found


def _is_remnant(
    rest: Sequence[Statement],
    answer: Sequence[Statement],
    asked: Container[str],
    known: Container[str],
    *,
    beside_query: bool,
) -> bool:
    """Whether what is left beside padding is little and tied to nothing, and so is no more than its fringe.

    Beside the query repeated it need not be little, unless it may be a direct answer: whatever is tied to nothing may
    be filler, and the query alone is no answer.
    """
    if any(stem in asked or stem in known for one in rest for stem in one.stems):
        return False
    if beside_query and not _may_answer_alone(rest):
        return True
    little = _LITTLE if any(map(is_telling, rest)) else _LITTLE_OF_EVERYDAY
    return sum(len(one.words) for one in rest) <= little * sum(len(one.words) for one in answer)


def is_no_more_than_the_query(
    rest: Sequence[Statement], query: Sequence[Statement], context: Sequence[Statement]
) -> bool:
    """Whether what stands beside the query quoted says nothing to it: as good as the query alone."""
    known = stems_of_all((*query, *context))
    return not any(stem in known for one in rest for stem in one.stems) and not _may_answer_alone(rest)


def _may_answer_alone(said: Sequence[Statement]) -> bool:
    """Whether it need share no word with what is asked: a few words, a list, code."""
    if any(is_line_of_code(one.text) for one in said):
        return True
    return all(len(one.words) <= _WORDS_OF_FRAGMENT and may_answer(one) for one in said)


def why_nothing_is_left(query: Sequence[Statement], answer: Sequence[Statement]) -> str:
    """Say what an answer is that is nothing but padding."""
    if not answer:
        return "the answer is empty"
    asked = {stem for one in query for stem in one.stems}
    if any(gives_orders(one, asked) for one in answer):
        return "the answer only gives orders to the judge"
    return "the answer only repeats the query"


def _is_padding(one: Statement, asked: Container[str], matter: Container[str]) -> bool:
    """`asked` are the stems of the query; `matter` adds those that the context says of judging."""
    text = one.text[:_SCANNED]
    shows = text[:1] == "(" or any(sign in one.text for sign in _TELLING_SIGNS)
    words = None if shows else plain_words(one)
    if may_have(words, _TELLTALES_OF_ORDERS) and gives_orders(one, asked):
        return True
    judging = [stem for stem in one.stems if stem in ABOUT_JUDGING]
    may_show = may_have(words, _TELLTALES_OF_VERDICT) and not any(stem in asked for stem in judging)
    if may_show and (_VERDICT.search(text) or _BLIND_TEXT.search(text)):
        return True
    if any(stem in matter for stem in judging):
        return False
    if (may_have(words, _TELLTALES_OF_ASSURANCE) and _ASSURES.search(text)) or _speaks_as_model(one, asked):
        return True
    if judging and speaks_of_judging(one) and (_TO_THE_JUDGE.search(text) or _is_advice_to_the_judge(one)):
        return True
    return _is_empty_address(one, matter)


def _is_empty_address(one: Statement, matter: Container[str]) -> bool:
    return _is_empty(one, matter) and _ADDRESSES.search(one.text[:_SCANNED]) is not None


def _is_advice_to_the_judge(one: Statement) -> bool:
    """Whether it says "you", and speaks of nothing but judging: others may be told of credit scores."""
    return not _YOU.isdisjoint(one.words) and all(stem in ABOUT_JUDGING or stem in TELLS_LITTLE for stem in one.stems)


def _speaks_as_model(one: Statement, asked: Container[str]) -> bool:
    """Whether it says what a model is, and nothing of what is asked: "As an AI language model, I may be wrong."."""
    text = one.text[:_SCANNED]
    if _SPEAKS_AS_MODEL.match(text) is None or is_refusal(fold(text)):
        return False
    return not any(stem in asked and stem not in _OF_MODELS for stem in one.stems)


def _talks_to_the_judge_elsewhere(one: Statement) -> bool:
    """Whether it does so in a language other than English; plain text without a word of it is not searched for more."""
    return may_have(plain_words(one), _WORDS_OF_OTHERS) and _IN_OTHER_LANGUAGES.search(one.text[:_SCANNED]) is not None


def _is_empty(one: Statement, asked: Container[str]) -> bool:
    """Whether all that it says of its own, beside words of the query, is that there is something to say."""
    own = [stem for stem in one.stems if stem not in asked]
    if any(stem not in EMPTY_WORDS and stem not in ABOUT_JUDGING for stem in own):
        return False
    echoed = len(one.stems) - len(own)
    if echoed and _HEDGES.issuperset(own):  # "I am not sure, maybe the shark"
        return False
    return len(own) >= max(_FEWEST_EMPTY, echoed)


def repeats_of(query: Sequence[Statement], answer: Sequence[Statement], _context: Sequence[Statement]) -> set[int]:
    """Where the query stands, if all its sentences do; one of them alone may be what was asked for.

    Without the few words that lead up to it: "You asked: …".
    """
    words = {word for one in query for word in one.words}
    found = {place for place, one in enumerate(answer) if one.is_question and words.issuperset(one.words)}
    asked = [one.words for one in query if one.words]
    distinct, sizes = set(asked), frozenset(map(len, asked))
    said = [_without_lead(one.words, distinct, sizes) for one in answer]
    if not distinct.issubset(said):
        return found
    in_a_row = {
        place
        for start in range(len(said) - len(asked) + 1 if len(asked) <= _MOST_IN_A_ROW else 0)
        if said[start : start + len(asked)] == asked
        for place in range(start, start + len(asked))
    }
    again = {place for place, words in enumerate(said) if words in distinct}
    led_up_to = {place for place in again if said[place] != answer[place].words}
    return found | ((in_a_row | led_up_to) if in_a_row else again)


def _without_lead(words: tuple[str, ...], asked: Container[tuple[str, ...]], sizes: Container[int]) -> tuple[str, ...]:
    """`sizes` are those of `asked`: few sentences of an answer have one of them."""
    shortest = max(_WORDS_OF_THANKS + 1, len(words) - _WORDS_OF_LEAD)
    rests = (words[-size:] for size in range(len(words), shortest - 1, -1) if size in sizes)
    return next((rest for rest in rests if rest in asked), words)
