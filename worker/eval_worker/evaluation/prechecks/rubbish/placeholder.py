"""Placeholders that nobody filled in, as the whole answer: "<noinput>", "[insert answer here]", "TODO"."""

import json
import re
from collections.abc import Sequence
from typing import cast

from eval_worker.evaluation.instructions.items import wanted_items
from eval_worker.evaluation.prechecks.direct_answer import DirectAnswer
from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction
from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.programming import asks_for_markup, asks_for_template, asks_for_value, is_about_code
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import fold

_LONGEST, _SHOWN, _SCANNED = 120, 40, 4000
_OPENINGS = frozenset("<[{(%@$_#*&\"'`")
_QUOTES = " \"'`"
_EDGES = " \t\r\n\"'`“”‘’.,:;!*"
_BARE = word_set("""
    n/a null nil undefined todo tbd t.b.d tba fixme nan noinput nooutput noanswer noresponse placeholder (null) (none)
    """)
# These name no value in any language: not an answer to a question about code either.
_NAMED = word_set("noinput nooutput noanswer noresponse")
_OPENS_BARE = _BARE | word_set(
    "test testing foo blah bla no n none insert add enter write type lorem to xxx answer response reply output result "
    "object sample example dummy default some content your t b d answer_text answer_here response_text response_here"
)
_ENDS_BARE = frozenset({"here", "below"})
# Words that one tries a keyboard or a program with; alone each may be a value, together they are none.
_TRIALS = word_set("test testing tests foo bar baz qux blah bla")
_OF_TRIALS = re.compile(r"\b(?:code|coding|program\w*|variables?|names?|sheep|test\w*)\b")
_NONE = "none"
_SENTENCES = re.compile(
    r"(?:please )?(?:insert|enter|add|write|type|put) (?:your |the |an? )?(?:answer|response|reply|text|content)"
    r"(?: (?:here|below))?|"
    r"(?:your|the|an?) (?:answer|response|reply|text|content)(?: (?:goes|comes|will go|will be|should go) here| here)|"
    r"(?:answer|response|reply|text|content)(?: goes)? here|"
    r"(?:placeholder|sample|example|dummy|default|test|some) (?:text|answer|response|reply|content|output)|"
    r"(?:content|answer|response|reply|output|text) (?:is )?(?:unavailable|not available|missing|not found|pending)|"
    r"(?:answer|response|reply|output) text|"
    r"test \d{1,4}|todo\b.{0,60}|to be (?:determined|announced|added|completed|filled in|written|done)|#n/?a|xxx+|"
    r"\[?object object\]?"
)
_TO_DO = "to do"
_SHORTEST_OBJECT = 2  # characters: it names something
_NO_ANSWER = re.compile(
    r"no (?:answer|response|reply|output|input)"
    r"(?: (?:was )?(?:provided|given|available|generated|returned|produced|found))?"
)
# Of these it may be told that there was none.
_OF_ANSWERS = re.compile(
    r"\b(?:answer|repl|respon[ds]e?\b|react|call|ask|rang|ring|writ|wrote|contact|happen|print|sa[iy])"
)
_OF_DATA = re.compile(r"\b(?:in|out)put\b")
_OF_PROGRAMS = re.compile(r"\b(?:inputs?|outputs?|happen(?:s|ed)?|prints?|returns?|commands?|runs?|ran)\b")
_OF_VERBS = re.compile(r"\b(?:infinitive|verb\w*|translat\w*|means?|meaning|phrase|english|grammar)\b")
_LOREM = "lorem ipsum"
# What stands in brackets that somebody was to replace; in other brackets it may be anything, an HTML tag or a list.
_TO_FILL_IN = re.compile(
    r"\b(?:insert|enter|fill|your|placeholder|todo|tbd|tba|n/a|none|null|nil|undefined|noinput|nooutput|noanswer|"
    r"noresponse|no (?:input|output|answer|response|content|text|data)|blank|empty|answer|response|reply|"
    r"(?:text|content|name|value|example) here|goes here|result|output|input|redacted|image|picture|photo|attachment|"
    r"silence|no speech|blank audio|deleted|removed|unavailable|missing|end of text|endoftext|im start|im end|eot id|"
    r"eos|bos|pad|unk|"
    r"inserte|introduzca|respuesta|insérer|insérez|réponse|einfügen|antwort|inserisci|risposta|insira|inserir|"
    r"resposta|antwoord|invoegen|wstaw|odpowiedź|вставьте|вставить|ответ|відповідь|cevap|yanıt|câu trả lời|jawaban)\b|"
    r"插入|填写|答案|回答|挿入|入力|답변|삽입|입력|أدخل|إجابة|الإجابة|उत्तर|जवाब|คำตอบ|תשובה"
)
_BRACKETED = re.compile(
    r"%[\w ]{1,40}%|@@[\w ]{1,40}@@|<<[^<>]{1,80}>>|<\|?[^<>]{1,80}\|?>|"
    r"\[[^\[\]]{1,80}\]|\([^()]{1,80}\)|\{[^{}]{1,80}\}|\*[^*]{1,80}\*"
)
_TEMPLATED = re.compile(
    r"(?:(?:\{\{\{?[^{}\d]{1,60}\}?\}\}|\{%[^{}]{1,80}%\}|\$\{[^{}]{1,60}\}|<%[^<>]{1,60}%>|%(?:\(\w+\))?[sdr])[\s.,;:!]*){1,9}"
)
_SHEET_ERROR = re.compile(r"#(?:ref!|value!|name\?|div/0!|num!|null!)")
_OF_SHEETS = re.compile(r"\b(?:excel|sheets?|spreadsheet|cell|formula|error|vlookup|calc)\b")
_EMPTY_ELEMENT = re.compile(r"(?:<(\w{1,30})(?: [^<>]{0,60})?>\s*</\1>\s*)+")
_EMPTY_LIST = re.compile(r"(?:[ \t]*(?:\(?\d{1,3}[.):]|[-*•+])[ \t]*(?:\n+|$)){2,}")
_OF_TOKENS = re.compile(
    r"\b(?:tokens?|tokeni[sz]\w*|special|mask\w*|pad\w*|bert|transformers?|models?|html|xml|tags?|separators?|end of)\b"
)

_UNDERSCORED = re.compile(r"__\w{3,40}__")
_LAYOUT = re.compile(
    r"(?:\s*(?:</?(?:br|p|div|span|hr|b|i|u|em|strong|ul|ol|li|table|tr|td|body|html|head)\b[^<>]{0,60}>|"
    r"&(?:nbsp|zwnj|#160|amp|quot|lt|gt);))+",
    re.IGNORECASE,
)
_TOKENS = re.compile(r"(?:\s*(?:\[(?:pad|unk|cls|sep|mask|eos|bos)\]|</?(?:pad|unk|eos|bos|s)>))+", re.IGNORECASE)
_LABEL = re.compile(r"^(?:answer|response|reply|output|result)\s?[:=]\s*")
_EMPTY_PAIRS = frozenset({"[]", "{}", "()", "<>", "[[]]", "[{}]", "{{}}", "<s>", "</s>"})
_TAG = re.compile(r"</?\|?\w+\|? ?/?>")
# To these nothing may be what there is to say: "Which of them failed?", "What allergies has she?"
_HUNTS = re.compile(
    r"\bif (?:there (?:is|are) (?:any|none)|any)\b|\b(?:find|identify|spot|detect|list|check|look)\b[^.?!]{0,40}"
    r"\b(?:errors?|typos?|mistakes?|bugs?|issues?|problems?|violations?|duplicates?|conflicts?|contradictions?)\b|"
    r"\b(?:find|identify|spot|detect|list|name|select|extract|give|show)\b[^.?!]{0,60}(?:\b(?:that|which|who|whose)\b|\bin\W*:)"
)
_NOTHING_MAY_DO = re.compile(
    r"\bany\b|^\W*(?:which|what (?:are|were|(?!is\b|was\b|does\b|has\b)\w+s|is (?:your|my|his|her|their|its)))\b"
)


def why_placeholder(words: WordsOfInteraction, direct_answer: DirectAnswer) -> str | None:
    answer = words.interaction.answer
    if len(answer) > _LONGEST:
        return _why_lorem(words) if words.answer.sequence[:1] == ["lorem"] else None
    sequence = words.answer.sequence
    opens = sequence and (sequence[0] in _OPENS_BARE or sequence[-1] in _ENDS_BARE)
    if not opens and answer.lstrip()[:1] not in _OPENINGS and not _is_empty_list(sequence):
        return None
    text = answer.strip()
    if not _is_placeholder(fold(text).replace("_", " "), text, words) or _is_null(text, words, direct_answer):
        return None
    return f"is a placeholder ({text[:_SHOWN]!r})"


def _is_empty_list(sequence: Sequence[str]) -> bool:
    return len(sequence) > 1 and sequence[0] == "1" and all(map(str.isdecimal, sequence))


def _why_lorem(words: WordsOfInteraction) -> str | None:
    if words.answer.sequence[1:2] != ["ipsum"] or asks_for_template(fold(words.interaction.user_query)):
        return None
    return "is a placeholder (lorem ipsum)"


def _is_placeholder(folded: str, text: str, words: WordsOfInteraction) -> bool:  # noqa: PLR0911  # one line a kind
    query, bare = fold(words.interaction.user_query), _LABEL.sub("", folded.strip(_EDGES))
    if bare and bare in query:
        return False  # the query offers it: "if nothing was said, answer <noinput>"
    if words.answer.sequence and _NAMED.issuperset(words.answer.sequence):
        return True
    if _has_no_content(folded, text, query):
        return True
    if len(words.answer.sequence) > 1 and _TRIALS.issuperset(words.answer.sequence):
        return not is_about_code(query) and _OF_TRIALS.search(query) is None
    if _NO_ANSWER.fullmatch(bare) or bare == _TO_DO:
        return not _may_be_told(bare, query, words)
    if bare == _NONE:
        return _is_none_left_over(text, words) and not asks_for_value(query)
    if bare in _BARE or (bare and _BARE.issuperset(bare.split())) or _TEMPLATED.fullmatch(text):
        return not asks_for_value(query) and not asks_for_template(query)
    if "".join(text.split()) in _EMPTY_PAIRS:
        return not asks_for_markup(query) and not is_about_code(query)
    if _TAG.fullmatch(text):
        return _is_unfilled(folded, text) and not asks_for_markup(query)
    return (_is_unfilled(folded, text) or _has_shape(bare, text)) and not asks_for_template(query)


def _may_be_told(bare: str, query: str, words: WordsOfInteraction) -> bool:
    """Whether the query asks for what elsewhere says that nothing is there."""
    if bare == _TO_DO:
        return _OF_VERBS.search(query) is not None
    if _OF_DATA.search(bare):
        return _OF_PROGRAMS.search(query) is not None
    return words.question.asks is Asks.POLAR or _OF_ANSWERS.search(query) is not None


def _has_no_content(folded: str, text: str, query: str) -> bool:
    """Marks and tags with nothing between them, where the query is not about such."""
    if _TOKENS.fullmatch(text):
        return _OF_TOKENS.search(query) is None
    if _LAYOUT.fullmatch(text) or _EMPTY_ELEMENT.fullmatch(text):
        return not asks_for_markup(query) and not is_about_code(query)
    if text[0] == "{" and _is_empty_object(text):
        return not is_about_code(query) and not asks_for_markup(query)
    if _SHEET_ERROR.fullmatch(folded):
        return _OF_SHEETS.search(query) is None
    return _EMPTY_LIST.fullmatch(text) is not None


def _is_empty_object(text: str) -> bool:
    """Whether it is JSON that holds names and no values."""
    try:
        found: object = json.loads(text)
    except ValueError:
        return False
    return (
        isinstance(found, dict) and len(text) > _SHORTEST_OBJECT and not any(cast("dict[str, object]", found).values())
    )


def _has_shape(bare: str, text: str) -> bool:
    return bare.startswith(_LOREM) or _SENTENCES.fullmatch(bare) is not None or _UNDERSCORED.fullmatch(text) is not None


def _is_unfilled(folded: str, text: str) -> bool:
    if "".join(text.split()) in _EMPTY_PAIRS:
        return True
    return _BRACKETED.fullmatch(folded.strip()) is not None and _TO_FILL_IN.search(folded) is not None


def _is_null(text: str, words: WordsOfInteraction, direct_answer: DirectAnswer) -> bool:
    """Zero, in German."""
    if fold(text).strip(_EDGES) != "null":
        return False
    asks_how_many = words.question.asks is Asks.NUMBER and words.question.marked
    return asks_how_many and direct_answer.reason is not None


def _is_none_left_over(text: str, words: WordsOfInteraction) -> bool:
    """`None` as a program writes it, where a person would have to name something."""
    query = words.interaction.user_query
    if text.strip(_QUOTES) != "None" or (_HUNTS.search(fold(query)) and wanted_items(query[:_SCANNED]) is None):
        return False
    question = words.question
    if question.asks is Asks.NUMBER and question.marked:
        return False
    return not question.marked or _NOTHING_MAY_DO.search(fold(question.text)) is None
