"""Which one-word answers are worth a judge, across languages and kinds of question, and which say nothing."""

import itertools
import time

import pytest

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.prechecks import run_prechecks
from eval_worker.evaluation.text.numerals import is_numeral

EARLY_EXIT = 0.2


def is_judged(query: str, answer: str) -> bool:
    ticks = itertools.count()
    stages = run_prechecks(Interaction(query, answer, ""), lambda: next(ticks))
    applicable = [stage.score for stage in stages if stage.score is not None]
    return sum(applicable) / len(applicable) >= EARLY_EXIT


NUMBERS = [
    ("Wie viele Fehler wurden gefunden?", "Null"),
    ("Quantos cães vivem nesta casa?", "Um."),
    ("¿Cuántas patas tiene una araña adulta?", "Ocho."),
    ("¿Cuántos continentes hay en total?", "siete"),
    ("Combien de côtés possède un hexagone ?", "Six"),
    ("Combien font cinq fois deux, déjà ?", "dix"),
    ("Wie viele Bundesländer hat Deutschland?", "Sechzehn"),
    ("Wie alt ist der Baum vor dem Rathaus?", "siebenundneunzig"),
    ("Wieviele Fehler wurden gefunden?", "keine"),
    ("Quanti giorni ci sono in una settimana?", "Sette"),
    ("Quantos dedos tem uma mão humana?", "Cinco"),
    ("Quantas luas tem a Terra no total?", "uma"),
    ("Hoeveel provincies heeft Nederland nu?", "twaalf"),
    ("Hur många dagar har en vanlig vecka?", "sju"),
    ("Hvor mange dager er det i en uke?", "syv"),
    ("Kuinka monta päivää on viikossa yleensä?", "Seitsemän"),
    ("Kuinka monta minuuttia on tunnissa?", "kuusikymmentä"),
    ("Ile nóg ma dorosły pająk domowy?", "osiem"),
    ("Сколько дней в обычной неделе?", "Семь"),
    ("Bir haftada kaç gün vardır acaba?", "yedi"),
    ("كم عدد أيام الأسبوع في التقويم؟", "سبعة"),
    ("एक सप्ताह में कितने दिन होते हैं?", "सात"),
    ("Πόσες μέρες έχει μια εβδομάδα;", "Επτά"),
    ("一个普通的星期总共有多少天?", "七"),
    ("一週間は全部で何日ありますか、教えて", "七日"),
    ("일주일은 모두 며칠이고 몇 날입니까?", "칠"),
    ("How many errors were logged yesterday?", "None"),
    ("How many centimetres are in ten metres?", "thousand"),
    ("What Roman numeral follows three in order?", "IV"),
]
POLAR = [
    ("Czy Warszawa jest stolicą Polski?", "Tak"),
    ("Onko Helsinki Suomen pääkaupunki?", "On."),
    ("Asuuko Matti edelleen Tampereella?", "Asuu."),
    ("Voiko koira syödä suklaata turvallisesti?", "Ei."),
    ("O Brasil é maior que Portugal em área?", "É."),
    ("Você tem algum animal de estimação?", "Tenho"),
    ("An bhfuil Baile Átha Cliath in Éirinn?", "Tá"),
    ("An raibh sé fuar i mBaile Átha Cliath inné?", "Bhí"),
    ("你的弟弟会说一点点英语吗?", "会"),
    ("你们全家人都喜欢吃辣的菜吗?", "不喜欢"),
    ("この図書館では本を借りることができますか", "できます"),
    ("이 근처에 지하철역이 있습니까, 혹시?", "있습니다"),
    ("Bugün bakkalda taze ekmek var mı?", "Yok"),
    ("Будет ли завтра собрание отдела?", "Будет."),
    ("יש חלב במקרר של המטבח הקטן?", "יש"),
    ("Are there any open bugs in the tracker?", "None."),
    ("Is the staging server still running?", "Running."),
    ("Oes llaeth yn yr oergell y bore 'ma?", "Oes"),
    ("Will the release ship before Friday?", "Possibly"),
    ("Does the new driver fix the crash?", "Maybe."),
    ("Is this mushroom safe to eat raw?", "Unsure"),
    ("Do cats sleep during the day time?", "Usually."),
    ("¿Va a llover mañana en la capital?", "Quizás"),
    ("Kommt der Zug heute pünktlich an?", "Vielleicht"),
    ("Il treno arriverà in orario oggi?", "Forse"),
    ("Завтра в Москве будет дождь или снег?", "Возможно"),
    ("明日の東京では雨が降りますか", "多分"),
    ("明天下午北京会不会下大雨呢?", "也许"),
    ("내일 서울에 비가 많이 올까요?", "아마도"),
    ("هل ستمطر غدا في العاصمة؟", "ربما"),
    ("Θα βρέξει αύριο στην Αθήνα;", "Ίσως"),
]
CODES = [
    ("What chemical symbol does gold have in the table?", "Au"),
    ("What is the chemical formula of water?", "H2O"),
    ("What is the chemical symbol for sodium?", "Na"),
    ("What is the chemical symbol for potassium?", "K"),
    ("Which compound is ordinary table salt?", "NaCl"),
    ("What unit is mass measured in under SI?", "kg"),
    ("Which text encoding does the file use?", "UTF-8"),
    ("Which of the four options is correct?", "B"),
    ("Which of the four options is correct?", "A."),
    ("What language is the Unity engine scripted in?", "C#"),
    ("Which language adds classes to plain C?", "C++"),
    ("Which operator means at least in Python?", ">="),
    ("Which symbol starts a comment in Python?", "#"),
    ("What is the currency of Germany, as a sign?", "€"),
    ("Which Greek letter names the circle constant?", "π"),
    ("Which protocol serves pages on the web?", "HTTP"),
    ("What markup language are web pages written in?", "html"),
    ("What is the ISO country code for Norway?", "NO"),
    ("Welches Elementsymbol hat Eisen im Periodensystem?", "Fe"),
    ("¿Qué símbolo químico tiene la plata?", "Ag"),
    ("Quel est le symbole chimique de l'or ?", "Au"),
    ("金的化学元素符号在周期表中是什么?", "Au"),
    ("Какой химический символ у золота?", "Au"),
    ("Which keyword negates a condition in Python?", "not"),
    ("What does the function return for an empty list?", "True"),
]
OTHERS = [
    ("Welche Waffe trug der Ritter in der Hand?", "Schwert"),
    ("Translate the Spanish word 'hola' to English", "Hello"),
    ("How do you say the word dog in Spanish?", "Perro"),
    ("Wie heißt die Hauptstadt von Frankreich?", "Paris"),
    ("¿Cómo se llama la capital de Francia?", "París"),
    ("Should the switch be on or off by default?", "Off."),
    ("Who broke the build yesterday evening?", "Me."),
    ("When should the migration be started?", "Now."),
    ("What product do you recommend for headaches?", "Aspirin"),
    ("Which way do I turn at the next crossing?", "Left."),
    ("谢谢用日语应该怎么说才比较自然?", "ありがとう"),
]


@pytest.mark.parametrize(("query", "answer"), NUMBERS)
def test_a_number_in_words_answers_how_many(query: str, answer: str):
    assert is_judged(query, answer)


@pytest.mark.parametrize(("query", "answer"), POLAR)
def test_a_verb_or_a_hedge_answers_a_yes_or_no_question(query: str, answer: str):
    assert is_judged(query, answer)


@pytest.mark.parametrize(("query", "answer"), CODES)
def test_a_code_or_a_symbol_answers_what_and_which(query: str, answer: str):
    assert is_judged(query, answer)


@pytest.mark.parametrize(("query", "answer"), OTHERS)
def test_a_word_that_elsewhere_says_nothing_may_be_the_answer(query: str, answer: str):
    assert is_judged(query, answer)


OPEN = "Explain the theory of relativity in detail"
WHAT = "What is the chemical symbol for gold?"
WHICH = "Which country has the most inhabitants?"
HOW_MANY = "How many days are there in a week?"
POLAR_QUERY = "Is the shop on the corner open today?"
SAYS_NOTHING = [
    *itertools.product(
        (OPEN, WHAT, WHICH, HOW_MANY), ("ok", "OK", "Ok.", "sure", "thanks", "n/a", "hm", "...", "好的")
    ),
    *itertools.product((OPEN, WHAT, WHICH), ("test", "asdf", "ASDF", "🎉", "???", "-", "Maybe.", "Okay", "N/A", "👍")),
    *itertools.product((WHAT, WHICH, OPEN), ("O.K.", "AsDf", "AAAAA", "Hmm.", "ＯＫ", "okay!", "k")),
    *itertools.product((POLAR_QUERY,), ("n/a", "hm", "...", "thanks", "test", "asdf", "🎉", "is")),
    *itertools.product((OPEN,), ("Au", "UTF", "seven", "B", ">=", "Possibly", "Running", "#", "K")),
    *itertools.product((WHICH,), ("Yes", "No", "Sí", "Oui", "ja", "нет", "はい", "the", "merci", "gracias", "---")),
    *itertools.product((HOW_MANY,), ("Yes", "asdf", "test", "🎉", "the", "Maybe")),
    ("¿Cuál es la capital de Francia, por favor?", "vale"),
    ("¿Cuántos días tiene una semana normal?", "gracias"),
    ("Quelle est la capitale de l'Allemagne ?", "merci"),
    ("Erkläre die Relativitätstheorie ausführlich", "Danke"),
    ("Какая столица у Франции сейчас?", "спасибо"),
    ("Сколько дней в обычной неделе?", "ладно"),
    ("请详细解释一下爱因斯坦的相对论", "好的"),
    ("请详细解释一下爱因斯坦的相对论", "会"),
    ("相対性理論について詳しく説明してください", "多分"),
    ("Is Paris the capital of France today?", "Paris"),
    ("Is Paris the capital city of France?", "France"),
]


@pytest.mark.parametrize(("query", "answer"), SAYS_NOTHING)
def test_what_says_nothing_to_the_question_is_not_worth_a_judge(query: str, answer: str):
    assert not is_judged(query, answer)


@pytest.mark.parametrize(
    "word",
    [
        "zero",
        "veintiuno",
        "zweihundertfünf",
        "ventitré",
        "dezasseis",
        "eenentwintig",
        "tjugotre",
        "kaksikymmentäviisi",
        "dwanaście",
        "тридцать",
        "yirmi",
        "عشرون",
        "बारह",
        "είκοσι",
        "十二",
        "二十",
        "스물",
    ],
)
def test_number_words_are_known_alone_and_run_together(word: str):
    assert is_numeral(word)


@pytest.mark.parametrize("word", ["banana", "because", "ok", "house", "x", ""])
def test_other_words_are_not_numbers(word: str):
    assert not is_numeral(word)


def test_a_hostile_run_of_number_words_is_refused_quickly():
    started = time.process_time()
    assert not is_numeral("ein" * 15 + "x")
    assert not is_numeral("ein" * 100_000)
    assert time.process_time() - started < 1
