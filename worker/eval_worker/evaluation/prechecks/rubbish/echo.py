"""The query given back as the answer: verbatim, quoted, twice, or after "You asked:"."""

from collections.abc import Sequence

from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction
from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.english import is_english
from eval_worker.evaluation.text.question_words import AUXILIARIES
from eval_worker.evaluation.text.short_answers import GREETING_WORDS
from eval_worker.evaluation.text.word_set import word_set

# Words that may stand around an echo without adding to it.
_FRAME_WORDS = word_set("""
    q a query question prompt input user human customer client assistant bot system message request
    task answer response reply instruction
    you your asked asking ask said say says wrote me i we my to the this that is was are were here there so ok okay sure
    well please repeat repeating quote again about following
    usted tú tu pregunta preguntó preguntaste preguntó la es su consulta has preguntado
    vous avez demandé votre question est la tu as demandé
    sie haben du hast gefragt frage ihre deine die lautet ist fragen fragten fragtest
    demandez demandes preguntas pregunta preguntabas chiedi chiede perguntas
    hai chiesto domanda tua ha la è você perguntou pergunta sua a é
    je vroeg vraag jouw de u din fråga du frågade
    вы спросили спрашиваете вопрос ваш твой ты спросил запрос
    twoje pytanie pytasz zapytałeś sorduğunuz soru سؤالك السؤال سألت आपने पूछा सवाल आपका प्रश्न
    你问 您问 你的问题 您的问题 你的问题是 您的问题是 问题 問題 问 問 用户 您问的是 你问的是
    質問 ご質問 質問は ご質問は あなたの質問
    질문 질문은 사용자 คำถาม คำถามของคุณ
    """)
_MOST_AROUND = 12
_MOST_TIMES = 3
_SALUTES = GREETING_WORDS | word_set("""
    happy merry bonjour bonsoir buenos buenas guten buongiorno buonasera bom boa dobrý dzień доброе добрый добрий
    早上好 晚上好 안녕하세요 안녕하십니까
    """)
_SALUTED = word_set("""
    there all everyone morning evening afternoon night day new year christmas birthday to you again very much a lot
    días tardes noches tag morgen abend dia noite tarde den dobry утро день вечер
    """)
_WORDS_OF_SALUTATION = 5
_ORDERS_TO_REPEAT = word_set("""
    repeat echo copy parrot verbatim repite repita répète répétez wiederhole wiederholen ripeti repita повтори повторите
    """)
_WORDS_OF_ORDER = 5
_ENGLISH = AUXILIARIES | {"the", "you", "they", "we", "my", "your", "it", "that"}


def why_echo(words: WordsOfInteraction) -> str | None:
    query, answer = words.query.sequence, words.answer.sequence
    if answer == query:
        times, around = 1, []
    elif query and len(query) < len(answer) <= _MOST_TIMES * len(query) + _MOST_AROUND and _ends_alike(answer, query):
        times, around = _without_query(answer, query)
    else:
        return None
    if not times or not query or not _FRAME_WORDS.issuperset(around) or _may_be_given_back(words):
        return None
    return "only repeats the query" if times == 1 else f"only repeats the query, {times} times"


def _without_query(answer: Sequence[str], query: Sequence[str]) -> tuple[int, list[str]]:
    """How often the query stands in the answer, and the words around it."""
    # A blank on both sides of each word, so that neighbours do not share one.
    pieces = "".join(f" {word} " for word in answer).split("".join(f" {word} " for word in query))
    return len(pieces) - 1, " ".join(pieces).split()


def _ends_alike(answer: Sequence[str], query: Sequence[str]) -> bool:
    opens = answer[0] == query[0] or answer[0] in _FRAME_WORDS
    return opens and (answer[-1] == query[-1] or answer[-1] in _FRAME_WORDS)


def _may_be_given_back(words: WordsOfInteraction) -> bool:
    """A greeting is returned, who asks for an echo gets one, and a statement may be all of a yes."""
    query = words.query.sequence
    if (
        len(query) <= _WORDS_OF_SALUTATION
        and query[0] in _SALUTES
        and all(word in _SALUTES or word in _SALUTED for word in query)
    ):
        return words.interaction.user_query.strip() != words.interaction.answer.strip()
    if _confirms(words):
        return True
    return not _ORDERS_TO_REPEAT.isdisjoint(query[:_WORDS_OF_ORDER])


def _confirms(words: WordsOfInteraction) -> bool:
    """Whether "Roma è in Italia." answers "Roma è in Italia?": in many languages the mark alone makes the question."""
    query = words.query.sequence
    if (
        not words.interaction.answer.rstrip().endswith((".", "!"))
        or not _ENGLISH.isdisjoint(query)
        or is_english(query)
    ):
        return False
    return words.question.marked and words.question.asks in {Asks.POLAR, Asks.UNKNOWN}
