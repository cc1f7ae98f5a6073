"""Coherence by rules, and by what people hold against texts."""

import pytest
from tests.models.offline.verdicts import judged

ENCRYPTION = "Encryption uses mathematical algorithms to scramble data."


def coherence(answer: str, query: str = "How does encryption work?", context: str = "") -> float:
    return judged("coherence", query, answer, context).score


def test_a_plain_explanation_is_coherent():
    assert coherence("Encryption scrambles data with a key. The key turns it back into readable data.") >= 0.9


@pytest.mark.parametrize(
    ("answer", "query", "context"),
    [
        (
            "Encryption scrambles data. But also, pizza is delicious. The algorithm ensures security.",
            "How does encryption work?",
            ENCRYPTION,
        ),
        (
            "Bees collect nectar from flowers. By the way, my cat likes tuna. The nectar becomes honey.",
            "How do bees make honey?",
            "Bees collect nectar and turn it into honey.",
        ),
        (
            "A loan is repaid in monthly instalments. I love surfing. Interest is added to each instalment.",
            "How does a loan work?",
            "",
        ),
        (
            "A compiler translates source code. Also, bananas are yellow. The output is machine code.",
            "How does a compiler work?",
            "A compiler translates source code into machine code.",
        ),
        (
            "Ein Kredit wird in Raten getilgt. Übrigens, Pizza ist lecker. Jede Rate enthält Zinsen.",
            "Wie funktioniert ein Kredit?",
            "Ein Kredit wird in Raten mit Zinsen getilgt.",
        ),
        (
            "Las abejas recogen néctar. Me gusta el fútbol. El néctar se convierte en miel.",
            "¿Cómo hacen miel las abejas?",
            "Las abejas recogen néctar y lo convierten en miel.",
        ),
        ("加密会打乱数据。不过，披萨很好吃。算法确保安全。", "加密是如何工作的？", "加密使用数学算法来打乱数据。"),
        (
            "Шифрование перемешивает данные. Кстати, пицца очень вкусная. Алгоритм хранит данные.",
            "Как работает шифрование?",
            "Шифрование перемешивает данные по алгоритму.",
        ),
    ],
)
def test_a_sentence_from_nowhere_breaks_the_topic(answer: str, query: str, context: str):
    assert coherence(answer, query, context) <= 0.5


@pytest.mark.parametrize("context", [ENCRYPTION, ""], ids=["context", "no context"])
def test_a_sentence_without_a_link_to_the_others_costs_something_even_where_nothing_marks_it(context: str):
    whole = "Encryption scrambles data. {}The data is readable again with the key."

    assert coherence(whole.format("Penguins live in Antarctica. "), context=context) < 0.9
    assert coherence(whole.format(""), context=context) >= 0.9


@pytest.mark.parametrize(
    "answer",
    [
        "The server is running. The server is not running.",
        "Prices always rise in winter. Prices always fall in winter.",
        "The box weighs 10 kg. The box weighs 25 kg.",
    ],
)
def test_sentences_that_contradict_each_other_are_incoherent(answer: str):
    assert coherence(answer, "Tell me about it") <= 0.4


def test_the_same_sentence_over_and_over_is_incoherent():
    assert coherence("The cache keeps hot keys in memory. " * 8, "What does the cache do?") <= 0.4


def test_gibberish_is_incoherent():
    assert coherence("asdf hjkl qwer zxcv bnmm") == 0.0


@pytest.mark.parametrize(
    ("query", "answer", "context"),
    [
        ("What is the capital of France?", "Paris.", "The capital of France is Paris."),
        ("What is the capital of France?", "The capital of France is Paris.", "The capital of France is Paris."),
        ("Is water wet?", "Yes.", ""),
        ("What is 2 + 2?", "4", ""),
        ("List 3 algorithms", "1. AES\n2. RSA\n3. Blowfish", "AES, RSA and Blowfish are algorithms."),
        ("Write a function in Python.", "def area(r):\n    x = r * r\n    x = x * 3\n    return x", ""),
        ("法国的首都是哪里", "法国的首都是巴黎。", "法国是西欧国家。法国的首都是巴黎。"),
    ],
)
def test_what_is_short_a_list_or_code_is_coherent(query: str, answer: str, context: str):
    assert coherence(answer, query, context) >= 0.9


ARTICLE = (
    "The mayor of Oakfield opened a new bridge over the Mill river on Monday. It replaces a ferry that had run for "
    "sixty years. The bridge cost nine million dollars and took two years to build. Farmers on the east bank had "
    "asked for it since a flood stopped the ferry for a month. The ferry will become a museum next spring."
)
IN_ORDER = (
    "The mayor of Oakfield opened a new bridge over the Mill river on Monday. It replaces a ferry that had run for "
    "sixty years. The bridge cost nine million dollars and took two years to build."
)


OUT_OF_ORDER = (
    "The bridge cost nine million dollars and took two years to build. The mayor of Oakfield opened a new bridge over "
    "the Mill river on Monday. The ferry will become a museum next spring. It replaces a ferry that had run for sixty "
    "years."
)
FROM_THE_MIDDLE = (
    "Farmers on the east bank had asked for it since a flood stopped the ferry for a month. The ferry will become a "
    "museum next spring."
)


@pytest.mark.parametrize(
    "worse",
    [
        OUT_OF_ORDER,
        f"{IN_ORDER} The bridge cost nine million dollars.",
        f"{IN_ORDER} The bridge.",
        IN_ORDER.replace("a new bridge over", "a new bridge bridge bridge over"),
        FROM_THE_MIDDLE,
    ],
    ids=["out of order", "said again", "a scrap", "stutter", "starts in the middle"],
)
def test_a_summary_loses_by_what_readers_stumble_over(worse: str):
    query = "Summarize the article."

    assert coherence(worse, query, ARTICLE) < coherence(IN_ORDER, query, ARTICLE) - 0.02


def test_an_answer_to_a_question_may_take_its_facts_from_anywhere():
    answer = "The bridge cost nine million dollars and took two years to build. The mayor opened it on Monday."

    assert coherence(answer, "What did the bridge cost, and who opened it?", ARTICLE) >= 0.9


def test_the_reason_names_what_weighs_most():
    answer = f"{IN_ORDER} The bridge cost nine million dollars."
    reason = judged("coherence", "Summarize the article.", answer, ARTICLE).reason

    assert "says again" in reason


@pytest.mark.parametrize("more", ["The bridge cost nine million dollars.", IN_ORDER], ids=["a sentence", "all of it"])
def test_saying_it_twice_never_helps(more: str):
    query = "What did the bridge cost?"

    assert coherence(f"{IN_ORDER} {more}", query, ARTICLE) <= coherence(IN_ORDER, query, ARTICLE)


def test_the_items_of_a_list_that_was_asked_for_need_no_link_to_each_other():
    items = "1. The Night Train to Lisbon\n2. Wool and Smoke\n3. My Brother's Keeper\n4. A Map of Salt"
    assert coherence(items, query="Make a list of well-known audio books.") >= 0.9


def test_a_small_fault_is_overlooked_in_an_answer_to_a_question():
    text = "Encryption scrambles data. The data is readable again with the key."
    assert coherence(text, context=ENCRYPTION) == coherence("Encryption scrambles data.", context=ENCRYPTION)


@pytest.mark.parametrize(
    "aside",
    [
        "Bananas are yellow.",
        "Giraffes have long necks.",
        "The Eiffel Tower is in Paris.",
        "Coffee tastes best at dawn.",
    ],
)
@pytest.mark.parametrize(
    ("query", "context", "answer"),
    [
        (
            "How do vaccines work?",
            "Vaccines train the immune system to recognise a virus.",
            "Vaccines show the immune system a harmless part of a virus. {} The virus is then recognised.",
        ),
        (
            "What does a load balancer do?",
            "A load balancer spreads requests over several servers.",
            "A load balancer spreads requests over servers. {} If one server fails, others take over.",
        ),
    ],
)
def test_an_aside_without_any_link_breaks_a_text_about_its_context(query: str, context: str, answer: str, aside: str):
    linked = answer.format("Each of them takes its turn.")

    assert judged("coherence", query, answer.format(aside), context).score < 0.7
    assert judged("coherence", query, linked, context).score > 0.7
