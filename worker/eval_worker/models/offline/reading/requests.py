"""The separate things that a query asks for: sub-questions, coordinated topics, examples."""

import re
from dataclasses import dataclass

from eval_worker.evaluation.instructions.amount import NUMBER
from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.question import read_question
from eval_worker.evaluation.text.words import is_unspaced
from eval_worker.models.offline.reading.statement import read_statement
from eval_worker.models.offline.reading.vocabulary import REQUEST_WORDS

_SCANNED = 1500
_MOST_REQUESTS = 12
_LONGEST_TOPIC_WORDS = 4
_OF_ONE = frozenset({Asks.PERSON, Asks.DATE, Asks.PLACE})
_TITLE = re.compile(r"[A-Z][\w'’]* (?:and|&) (?:the )?[A-Z]")  # "Who wrote Pride and Prejudice?"
_OF_SEVERAL = re.compile(r"\b(?:are|were|do|have)\b")
_LONGEST_UNSPACED_TOPIC = 8  # characters
_ENGLISH = (
    "explain|describe|discuss|summari[sz]e|compare|contrast|outline|analy[sz]e|give|provide|list|name|tell|show|state|"
    "identify|include|suggest|recommend|mention|define|write|calculate|say|add|illustrate|exemplify|demonstrate|"
    "clarify|elaborate|specify|share|teach (?:me|us)|walk (?:me|us) through|help (?:me|us) (?:to )?understand"
)
_QUESTIONS = (
    "(?:(?:by|until|since|from|for|at|to|in|with) )?(?:how|why|what|when|where|who|whom|which|whether)|"
    "was (?:ist|sind|bedeutet|kostet|muss|soll|kann)|(?:bis |seit |ab )?(?:wie|wann|welche[rsnm]?)|"
    "warum|wieso|wer|wo|wohin|woher|womit|"
    "qu'est-ce|quell?e?s?|comment|pourquoi|où|quand|combien|qué|cuál(?:es)?|cómo|por qué|(?:a )?dónde|cuándo|quién|"
    "cuánt[oa]s?|che cosa|cosa|qual[ei]?|come (?:funziona|si|posso)|perché|dove|quando|quant[oaie]|chi|"
    "o que|qua(?:l|is)|como|por que|onde|quem|wat|hoe(?:veel)?|waarom|waar|wanneer|wie|welke|"
    "что|как|почему|где|когда|кто|как(?:ой|ая|ие|ова|ов)|сколько"
)
_OTHERS = (
    "erklär(?:e|en)?|erläuter(?:e|n)|beschreib(?:e|en)|nenn(?:e|en)|gib|geben|vergleich(?:e|en)|definier(?:e|en)|"
    "expliqu(?:e|er|ez)|décri(?:s|re|vez)|donn(?:e|er|ez)|cit(?:e|er|ez)|compar(?:e|er|ez|a|ar)|fourni(?:s|r|ssez)|"
    "explica|explicar|describ(?:e|a|ir)|dame|da|dé|proporcion(?:a|e)|mencion(?:a|e)|enumer(?:a|e)|"
    "spieg(?:a|are|hi)|descriv(?:i|ere|a)|dai|fai|fornisci|elenca|confronta|"
    "explique|descreva|dê|forneça|liste|beschrijf|geef|noem|vergelijk|leg|"
    "açıkla(?:y[ıi]n)?|anlat(?:ın)?|tanımla(?:yın)?|اشرح|وضح|صف|عرف|قارن|اذكر|أعط(?:ني)?|"
    "объясни(?:те)?|опиши(?:те)?|расскажи(?:те)?|приведи(?:те)?|назови(?:те)?|дай(?:те)?|сравни(?:те)?|перечисли(?:те)?"
)
_IMPERATIVES = f"{_ENGLISH}|{_OTHERS}"
_VERBS = f"{_IMPERATIVES}|{_QUESTIONS}"
_POLITE = (
    r"(?:(?:please|now|then|also|can you|could you|bitte|por favor|s'il (?:te|vous) plaît|per favore|пожалуйста)\W+)*"
)
_REQUEST = re.compile(
    rf"{_POLITE}(?:{_ENGLISH}|how|why|what|when|where|who|which|whether|make|create|translate|rewrite|find|generate|"
    rf"answer)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    rf"\W*{_POLITE}(?:(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|lastly|next|if so)\W+)?"
    rf"(?:{_IMPERATIVES}|i(?: need| want| would like|'d like|’d like)|"
    rf"(?:can|could|would|will) you)\b|\W*请|.{{0,60}}(?:ください|주세요)",
    re.IGNORECASE,
)
_TASK = re.compile(
    rf"\W*{_POLITE}(?:write|rewrite|re-?phrase|paraphrase|translate|summari[sz]e|calculate|compute|convert|create|"
    rf"make|generate|design|compose|draft|edit|correct|fix|classify|categori[sz]e|extract|sort|complete|continue|"
    rf"transform|return|parse|put|arrange|rank|come up|choose|act|imagine|"
    rf"schreib(?:e|en)?|übersetz(?:e|en)?|écri(?:s|vez|re)|"
    rf"tradui(?:s|sez|re)|escrib(?:e|a|ir)|traduc(?:e|ir|i)|scrivi|escreva|traduza|напиши(?:те)?|переведи(?:те)?)\b",
    re.IGNORECASE,
)
_AUXILIARY = (
    r"(?:can|could|may|do|does|did|is|are|was|were|will|would|should|must|have|has) "
    r"(?:i|you|we|they|he|she|it|there|either|any|this|that)|"
    r"(?:kann|darf|muss|soll|gibt|ist|hat|habe|wird) (?:ich|man|es|er|sie|wir)|est-ce que|(?:puis|peut|dois|faut)-\w+|"
    r"(?:puedo|puede|hay|se puede|debo)|(?:posso|può|devo|si può|c'è)|(?:kan|mag|moet|is) (?:ik|je|er|het)"
)
_IS_TOLD = re.compile(r"[.!。]\s*$|[.!。]\s+\S|\n")
_LONGEST_UNASKED = 100  # characters: a few words that name topics, not something told
_AND = "and|then|but|as well as|und|sowie|et|ainsi que|y|e|en|и|а также"
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_SENTENCE = re.compile(r"(?:^|(?<=[\s:]))\(?(?:\d{1,2}|[a-hA-H])[.)]\s+|([?？؟])+\s*|[!。;；]+\s*|\.\s+|\n+")
_CLAUSE = re.compile(
    rf",?\s+(?:{_AND})\s+(?=(?:also |then |please |do |to |auch )*(?:{_VERBS}|{_AUXILIARY})\b)|"
    rf",\s+(?=(?:(?:{_AND}) )?(?:{_VERBS})\b)|[，、](?=并|還|还|再|以及|各|举|舉|それぞれ|例|また)|(?<=하고)\s+|"
    r"\s+and\s+(?=(?:its|their)\s)|(?:(?<=इए)|(?<=िए))\s+और\s+|"
    r"\s+ve\s+(?=(?:\w+ ){0,2}örne[kğ])|\s+(?=مع (?:\w+ )?(?:أمثلة|مثال))|"
    r"\s+و(?=(?:قدم|اذكر|أعط|اعط|هات)\w*\s)|"
    r"(?<!\balong)(?<!\btogether),?\s+(?=(?:along |together )?"
    r"(?:with|giving|using|including|providing|showing|offering|plus) (?:(?!from|of|for)\w+[ -]){0,3}"
    r"(?:examples?|instances?)\b)",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"\b(?:sowohl|tanto|tant|sia|zowel|как|hem|not only|not just)\s+(.{2,60}?),?\s+"
    r"(?:als auch|como|quanto|que|che|sia|als|так и|hem de|but also)\s+",
    re.IGNORECASE,
)
_HEAD = re.compile(
    rf"^(?:(?:can|could|would|will) you |please |bitte |also |then |to |me |us |(?:{_VERBS})\b|"
    r"(?:is|are|was|were|do|does|did|ist|sind|est|sont|es|son|è|sono|é|são)\b|"
    r"i(?: need| want| would like|'d like|’d like) |to (?:know|learn|hear|understand) |"
    r"(?:an? |the )?(?:\w+ )?(?:explanation|description|definition|overview|summary)s? of |"
    r"the (?:difference|differences|similarities|relationship) between |about |both |between |beide |"
    r"请|同时|分别|解释|說明|说明|描述|介绍|介紹|什么是|一下|\W)+",
    re.IGNORECASE,
)
_COORDINATION = re.compile(
    r"\s*,\s*(?:(?P<listed>and|or|und|et|y|e|и)\s+)?|"
    r"(?:\s+(?P<conjunction>and|as well as|along with|together with|in addition to|&|und|sowie|et|ainsi que|y|e|и|"
    r"en(?=.*\b(?:van|het|een|zijn)\b)|और)\s+|\s+(?P<prefixed>و)(?=[^\W\d_]{2})|(?<=[가-힣])(?P<suffixed>[와과])\s+)",
    re.IGNORECASE,
)
_UNSPACED_COORDINATION = re.compile(
    r"以及|[和与與及、]|(?<=[\u30a0-\u30ff\u4e00-\u9fff])と(?=[\u30a0-\u30ff\u4e00-\u9fff])"
)
_UNSPACED_TAIL = re.compile(
    r"(?:の(?:両方|違い))?(?:を|について)?(?:説明|教え|比較).*$|的(?:区别|區別|不同).*$|是什么.*$|とは.*$"
)
_VERB_AT_END = re.compile(
    r"(?:\s+दोनों)?(?:\s+(?:को|का|की|के बारे में|में))?(?:\s+(?:वर्णन|व्याख्या|विस्तार से))*\s+\S+(?:इए|िए)\s*$|"
    r"(?:\s+(?:모두|각각|둘 다|에 대해))*\s+(?:설명|비교)\S*(?:\s+주세요)?\s*$|"
    r"\s+(?:açıkla|anlat|tanımla|karşılaştır)\w*\s*$"
)
_EXAMPLES = re.compile(
    r"\b(?:examples?|instances?|beispiele?n?|exemples?|ejemplos?|esempi[o]?|exemplos?|voorbeeld(?:en)?|"
    r"пример(?:ы|ов)?|örne[kğ]\w*|أمثلة|مثال\w*)\b|"
    r"例子|[举舉].{0,3}例|例を|の例|예를|예시|उदाहरण",
    re.IGNORECASE,
)
_ACCOUNT = (
    r"(?:an? |the |your )?(?:\w+ )?(?:explanation|description|definition|overview|account|summary|comparison|idea)s? of"
)
_WANTS_INSTANCES = re.compile(
    rf"{_POLITE}(?:(?:give|list|name|provide|suggest|recommend|find|mention|enumerate|(?:write|note|jot) down)\b"
    rf"(?! (?:me |us )?{_ACCOUNT})|"
    rf"(?:identify|share|tell (?:me|us)|show (?:me|us)|"
    rf"i(?: need| want| would like|'d like|’d like)|state|offer|think of|come up with|"
    rf"propose|pick|choose) (?:exactly |at least |only |just |the |some )?{NUMBER}\b)",
    re.IGNORECASE,
)
_BRINGS_EXAMPLES = re.compile(
    r"(?:along |together )?(?:with|giving|using|including|providing|showing|offering|plus)\b", re.IGNORECASE
)
_NAMES_ATTRIBUTES = re.compile(
    r"^\W*(?:please )?\w+(?: down)? (?:me |us )?(?:both )?the (?:\w+ ?){1,4}(?:, | and |, and )", re.IGNORECASE
)  # "the price and the weight of it", not "three prices"
_OF = re.compile(r"\s+(?:of|for)\s+", re.IGNORECASE)
_SETTING = re.compile(
    r"(?:for|regarding|concerning|as for|in|on|with regard to|about|based on|according to|given|from|using)\s+"
    r"(?:\S+\s+){0,4}\S+|(?:if|because|assuming|suppose|wenn|falls)\s+.+|"
    r"(?:ok(?:ay)?|hi|hello|hey|thanks|thank you|so|well|also|hallo|danke|bonjour|merci|hola|gracias)",
    re.IGNORECASE,
)  # "In Python, how …?", "If it rains, what …?", "Ok, and …?"
_LABELLED = re.compile(r"([^\W\d]+) (\d{1,3})\b")
_ASPECTS = re.compile(
    r"\W*(?:please )?summari[sz]e the \w+(?:, (?:the )?\w+)+,? and (?:the )?\w+ of (?:\w+ ){0,4}\w+\W*", re.IGNORECASE
)  # of a thing, not of a text that is given
OF_EACH = re.compile(
    r"\b(?:each|both|every|them|their|its|jede[smrn]?|beide[nr]?|chacune?|chaque|cada|ciascun[oa]?|ognun[oa]|elk|každ\w+|кажд\w+|"
    r"her bir\w*|her ikisi\w*|كل منه\w+|كليهما)\b|各|每|分别|分別|それぞれ|각각|प्रत्येक",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Request:
    """One thing asked for. `stems` are what an answer to it would speak of; examples have none of their own.

    `head` are those of the noun itself where the text goes on "of …". What is wanted of a kind (`wants_instances`)
    need not be called by the name of the kind.
    """

    text: str
    stems: tuple[str, ...]
    asks: Asks
    wants_examples: bool = False
    head: tuple[str, ...] = ()
    wants_instances: bool = False


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    asked: bool


def is_request(sentence: str) -> bool:
    return _REQUEST.match(sentence) is not None


def is_task(query: str) -> bool:
    """Whether a text is to be made, which need not speak of the words that ask for it."""
    return _TASK.match(query) is not None


def find_requests(query: str) -> list[Request]:
    """What the query asks to be told; nothing where it asks for a text to be made.

    What it only states, or hands over to be worked on, is left out.
    """
    if is_task(query) and not _ASPECTS.fullmatch(query):
        return []
    found: list[Request] = []
    for sentence in _asking(query[:_SCANNED]):
        for clause in _CLAUSE.split(_BOTH.sub(r"\1 and ", sentence)):
            text = clause.strip(" ,.:，、") if clause else ""
            if text:
                found.extend(_of_clause(text))
    return _distinct(found)[:_MOST_REQUESTS]


def _asking(query: str) -> list[str]:
    paragraphs = [_sentences(paragraph) for paragraph in _PARAGRAPHS.split(query.strip())]
    if any(one.asked for one in paragraphs[0]) and not all(one.asked for rest in paragraphs[1:] for one in rest):
        return []  # what is asked is asked of the text that follows
    kept = [one.text for sentences in paragraphs for one in sentences if one.asked]
    return kept or ([] if len(query) > _LONGEST_UNASKED or _IS_TOLD.search(query) else [query])


def _sentences(paragraph: str) -> list[_Sentence]:
    found: list[_Sentence] = []
    start = 0
    for end, following, question in [
        *((match.start(), match.end(), match.group(1)) for match in _SENTENCE.finditer(paragraph)),
        (len(paragraph), len(paragraph), None),
    ]:
        text = paragraph[start:end].strip()
        start = following
        if any(map(str.isalnum, text)):
            found.append(_Sentence(text, question is not None or _ASKS.match(text) is not None))
    return found


def _of_clause(clause: str) -> list[Request]:
    if _SETTING.fullmatch(clause):
        return []
    stripped = _VERB_AT_END.sub("", _HEAD.sub("", clause))
    topics = _stems(stripped)
    if _EXAMPLES.search(clause) and (
        OF_EACH.search(clause)
        or _BRINGS_EXAMPLES.match(clause)
        or not _beyond_examples(stripped)
        or (is_unspaced(clause) and len(clause) <= _LONGEST_UNSPACED_TOPIC)
    ):
        return [Request(clause, (), Asks.NAME, wants_examples=True)]
    if not topics:
        return []
    # A question mark was cut off with the clause; without it the kind of question can't be told.
    asks = read_question(f"{clause}?").asks
    of_a_kind = _WANTS_INSTANCES.match(clause) is not None
    if of_a_kind and not _NAMES_ATTRIBUTES.search(clause):
        return [Request(clause, topics, asks, wants_instances=True)]
    pieces = _coordinated(stripped)
    stems = _numbered(pieces) or [*map(_stems, pieces[:-1]), _own_of_last(pieces)]
    is_one = asks is Asks.POLAR or (asks in _OF_ONE and _TITLE.search(clause) and not _OF_SEVERAL.search(clause))
    if is_one or len(pieces) < 2 or not all(stems):  # noqa: PLR2004  # one is not coordinated
        return [Request(clause, topics, asks, wants_instances=of_a_kind)]
    sizes = {len(one) for one in stems[:-1]}
    if len(sizes) == 1:  # what follows, as in "direct and indirect taxes", belongs to all of them
        stems[-1] = stems[-1][: sizes.pop()]
    return [
        Request(piece.strip(), own, Asks.OPEN, wants_instances=of_a_kind, head=_stems(_OF.split(piece, maxsplit=1)[0]))
        for piece, own in zip(pieces, stems, strict=True)
    ]


def _own_of_last(pieces: list[str]) -> tuple[str, ...]:
    """Without what belongs to all of them, as in "causes and effects of war"."""
    belongs_to_all = len(pieces) > 1 and not any(map(_OF.search, pieces[:-1]))
    return (belongs_to_all and _stems(_OF.split(pieces[-1], maxsplit=1)[0])) or _stems(pieces[-1])


def _numbered(pieces: list[str]) -> list[tuple[str, ...]] | None:
    """The numbers of "type 1" and "type 2 diabetes", which are all that sets them apart; None of anything else."""
    found = [_LABELLED.match(piece.strip()) for piece in pieces]
    labels = [(match[1].lower(), match[2]) for match in found if match]
    if not len(labels) == len(pieces) == len(set(labels)) or len({label for label, _ in labels}) > 1:
        return None
    return [(number,) for _, number in labels]


def _beyond_examples(text: str) -> bool:
    statement = read_statement(text)
    return any(
        word not in REQUEST_WORDS and not _EXAMPLES.fullmatch(word) and not stem.isdecimal()
        for stem, word in statement.surface.items()
    )


def _coordinated(text: str) -> list[str]:
    """The topics of "A, B and C"; the text itself where it is none of that kind. Commas alone may mean anything."""
    if any(map(is_unspaced, text)):
        pieces = [piece for piece in _UNSPACED_COORDINATION.split(_UNSPACED_TAIL.sub("", text)) if piece.strip()]
        alike = all(len(piece) <= _LONGEST_UNSPACED_TOPIC for piece in pieces[:-1])
        return pieces if pieces and alike else [text]
    if not any(match.lastgroup for match in _COORDINATION.finditer(text)):
        return [text]
    pieces = [piece for piece in _COORDINATION.sub("\n", text).split("\n") if piece.strip()]
    alike = all(len(piece.split()) <= _LONGEST_TOPIC_WORDS for piece in pieces[:-1])
    return pieces if alike else [text]


def _stems(text: str) -> tuple[str, ...]:
    statement = read_statement(text)
    topics = tuple(stem for stem in statement.stems if statement.surface[stem] not in REQUEST_WORDS)
    return topics if any(not stem.isdecimal() for stem in topics) else ()


def _distinct(requests: list[Request]) -> list[Request]:
    seen: set[tuple[tuple[str, ...], bool, Asks]] = set()
    kept: list[Request] = []
    for request in requests:
        key = (request.stems, request.wants_examples, request.asks)
        if key not in seen:
            seen.add(key)
            kept.append(request)
    return kept
