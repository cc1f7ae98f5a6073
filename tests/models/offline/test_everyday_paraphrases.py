"""The examples that the docs show, told of everyday matters: each beside its counterpart, which comes out otherwise."""

import pytest
from tests.models.offline.verdicts import evaluated, judged

from eval_worker.evaluation.aggregate import Verdict

PASSED = 0.7
OFF_TOPIC = 0.5


@pytest.mark.parametrize(
    ("query", "answer", "context"),
    [
        ("대한민국의 수도는 어디입니까?", "대한민국의 수도는 서울입니다.", "대한민국은 나라이다. 수도는 서울이다."),
        (
            "Gib mir 4 Beispiele für Versicherungen",
            "Beispiele für Versicherungen sind Haftpflicht, Hausrat, Unfall und Leben.",
            "Versicherungen: Haftpflicht, Hausrat, Unfall, Leben, Kranken",
        ),
        (
            "How many days do I have to return an item?",
            "You have 30 days to return an item.",
            "Items can be returned within thirty days.",
        ),
        (
            "Which airport is closest to the city centre?",
            "City Airport is the closest airport to the city centre.",
            "City Airport lies 6 km from the centre of the city, Northfield Airport 35 km.",
        ),
        ("What toppings can I choose?", "You can choose olives and onions.", "Toppings: olives, onions."),
        ("İade süresi kaç gündür?", "İade süresi 30 gündür.", "Ürünler 30 gün içinde iade edilebilir."),
    ],
)
def test_what_the_context_says_in_another_form_is_no_other_answer(query: str, answer: str, context: str):
    assert evaluated(query, answer, context).verdict is Verdict.PASS


def test_an_hour_is_the_same_by_either_clock():
    query, context = "When does the shop close?", "The shop closes at 18:00."
    assert judged("relevance", query, "The shop closes at 6 pm.", context).score > PASSED
    assert judged("relevance", query, "The shop closes at 7 pm.", context).score < OFF_TOPIC


def test_a_letter_may_be_all_of_an_answer():
    query, context = "Which vitamin does sunlight help produce?", "The skin makes vitamin D when exposed to sunlight."
    assert judged("relevance", query, "Sunlight helps the body produce vitamin D.", context).score > PASSED
    assert judged("relevance", query, "Sunlight helps the body produce vitamin K.", context).score < OFF_TOPIC


@pytest.mark.parametrize(
    ("query", "answer", "context"),
    [
        (
            "How many days do I have to return an item?",
            "You have 90 days to return an item.",
            "Items can be returned within thirty days.",
        ),
        (
            "What is the half-life of carbon-14?",
            "The half-life of carbon-14 is about 12 minutes.",
            "Carbon-14 has a half-life of roughly 5,730 years and is used for dating.",
        ),
        ("返品の期限はいつまでですか？", "返品の期限は90日以内です。", "商品は購入後30日以内に返品できます。"),
        ("保修期是多久？", "保修期为五年。", "产品的保修期为两年。"),
    ],
)
def test_a_number_is_held_against_another_form_of_it(query: str, answer: str, context: str):
    assert evaluated(query, answer, context).verdict is not Verdict.PASS


@pytest.mark.parametrize(
    ("query", "answer", "context"),
    [
        ("Where is the headquarters of the WHO?", "Our gift cards never expire.", "The WHO has its seat in Geneva."),
        ("Quel est le délai de livraison ?", "Les pingouins vivent dans l'Antarctique.", "Livraison en trois jours."),
        ("Was ist KI?", "Bananen enthalten viel Kalium.", "KI steht für Künstliche Intelligenz."),
        ("ما هو الذكاء الاصطناعي؟", "الموز فاكهة صفراء.", "الذكاء الاصطناعي يعني محاكاة الذكاء البشري."),
        ("Define onboarding.", "Mars has two small moons.", ""),
        ("What is a black hole?", "Bananas contain potassium.", ""),
        ("AI란 무엇입니까?", "기차는 아홉 시에 출발합니다.", "AI는 인공지능의 약자입니다."),
        ("什么是人工智能？", "火车九点出发。", "AI代表人工智能。"),
        ("Che cos'è l'IA?", "Il treno parte alle nove.", "IA sta per Intelligenza Artificiale."),
    ],
)
def test_a_sentence_on_something_else_is_no_direct_answer(query: str, answer: str, context: str):
    assert judged("relevance", query, answer, context).score < OFF_TOPIC


@pytest.mark.parametrize(
    ("query", "answer", "context"),
    [
        ("Where is the headquarters of the WHO?", "In Geneva.", ""),
        ("What is a black hole?", "It is a collapsed star.", ""),
        ("Can I bring my dog?", "Dogs are not allowed.", ""),
        ("Provide a compliment on somebody's truthfulness", "Your honesty is admirable.", ""),
    ],
)
def test_a_short_answer_need_not_share_a_word(query: str, answer: str, context: str):
    assert judged("relevance", query, answer, context).score > PASSED


@pytest.mark.parametrize(
    ("query", "answer", "aside", "context"),
    [
        (
            "Wie funktioniert Verschlüsselung?",
            "Verschlüsselung verwürfelt Daten.{} Der Algorithmus sorgt für Sicherheit.",
            " Aber Pizza ist auch lecker.",
            "Verschlüsselung verwendet mathematische Algorithmen, um Daten zu verwürfeln.",
        ),
        (
            "암호화는 어떻게 작동합니까?",
            "암호화는 데이터를 뒤섞습니다.{} 알고리즘이 보안을 보장합니다.",
            " 그런데 피자는 맛있습니다.",
            "암호화는 수학적 알고리즘을 사용하여 데이터를 뒤섞습니다.",
        ),
        (
            "كيف يعمل التشفير؟",
            "التشفير يخلط البيانات.{} الخوارزمية تضمن الأمان.",
            " ولكن أيضا البيتزا لذيذة.",
            "يستخدم التشفير خوارزميات رياضية لخلط البيانات.",
        ),
        (
            "Comment fonctionne le chiffrement ?",
            "Le chiffrement brouille les données.{} L'algorithme assure la sécurité.",
            " Mais aussi, la pizza est délicieuse.",
            "Le chiffrement utilise des algorithmes pour brouiller les données.",
        ),
    ],
)
def test_a_word_of_the_context_links_a_sentence_in_whatever_form(query: str, answer: str, aside: str, context: str):
    assert judged("coherence", query, answer.format(""), context).score > PASSED
    assert judged("coherence", query, answer.format(aside), context).score < PASSED


@pytest.mark.parametrize(
    ("query", "half", "whole"),
    [
        (
            "I'd like to know what gross and net mean, along with examples.",
            "Gross is the sum before taxes.",
            "Gross is the sum before taxes, for example 3,000 euros. Net is what remains, for example 2,000 euros.",
        ),
        (
            "Explain both type 1 and type 2 diabetes and provide typical treatments",
            "Type 1 diabetes is an autoimmune disease that is treated with insulin.",
            "Type 1 diabetes is treated with insulin. Type 2 diabetes has metformin as its typical treatment.",
        ),
        (
            "Summarize the causes, symptoms and treatment of migraine",
            "Migraine is caused by changes in the brain.",
            "Migraine is caused by changes in the brain. Its symptoms include pain. The treatment includes triptans.",
        ),
        (
            "Tell me the opening hours and the address of the store",
            "The opening hours of the store are 9 am to 6 pm.",
            "The opening hours of the store are 9 am to 6 pm. Its address is 5 Main Street.",
        ),
        (
            "Explain both front-end and back-end development, and name technologies used in each",
            "Front-end development builds what users see, with technologies like React.",
            "Front-end development builds what users see: React. Back-end development has technologies like Django.",
        ),
        (
            "Describe both the pros and cons of remote work, with an example for each",
            "Remote work saves employees the time of commuting.",
            "A pro of remote work is time, for example. A con of remote work is isolation, for example in teams.",
        ),
        (
            "Explain both simmering and boiling, and give examples of dishes for each",
            "Simmering means cooking just below the boiling point.",
            "Simmering is just below 100 degrees; a stew is an example. Boiling is hotter; pasta is an example.",
        ),
        (
            "Объясните шифрование и дешифрование и приведите примеры",
            "Шифрование превращает открытый текст в шифротекст.",
            "Шифрование превращает текст в шифротекст. Дешифрование возвращает его, например тем же ключом.",
        ),
    ],
)
def test_half_of_what_was_asked_is_not_complete_and_all_of_it_is(query: str, half: str, whole: str):
    assert judged("completeness", query, half).score < 0.5
    assert judged("completeness", query, whole).score > PASSED


@pytest.mark.parametrize(
    ("query", "answer", "follows"),
    [
        ("I want three snacks", "**Snacks:**\n- An apple\n- Rice cakes\n- A yogurt\n- A carrot", True),
        ("Exactly 4 adjectives to describe autumn, please", "colourful, windy, cool, golden", True),
        ("Listez exactement cinq fruits", "1. Pomme\n2. Poire\n3. Banane", False),
        ("Listez exactement trois fruits", "1. Pomme\n2. Poire\n3. Banane", True),
        ("Proporciona exactamente 3 colores", "1. rojo\n2. azul", False),
        ("Recommend three novels by Jane Austen.", "Emma, Persuasion, Mansfield Park, and Pride and Prejudice", True),
        ("Recommend exactly four novels by Jane Austen.", "Emma, Persuasion, and Pride and Prejudice", False),
        ("Name three planets or dwarf planets", "Mercury, Venus, Earth, and Pluto", True),
        ("أعطني 3 أمثلة على خوارزميات التشفير", "من أمثلة خوارزميات التشفير AES و RSA و ChaCha20 و DES.", True),
        ("मुझे भाषाओं के 3 उदाहरण दीजिए", "भाषाओं के उदाहरण Python, Java, Rust और Go हैं।", True),
    ],
)
def test_items_are_counted_whatever_they_are_and_in_other_languages_too(query: str, answer: str, follows: bool):
    assert (judged("instruction", query, answer).score > PASSED) is follows
