"""Examples that ask for a number of things come out alike for other things, numbers, layouts and languages."""

import pytest
from tests.models.offline.verdicts import judged

PASSED = 0.7


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("Give me 2 examples of string instruments", "Examples are the violin, the cello, and the harp."),
        ("Give me 5 examples of prime numbers", "Examples of prime numbers are 2, 3, 5, 7, 11, and 13."),
        ("Name four planets", "Four planets are Mars, Venus, Saturn, Jupiter, and Uranus."),
        ("Nenne mir drei Beispiele für Metalle", "Beispiele für Metalle sind Eisen, Kupfer, Zink und Silber."),
        ("Dame 3 ejemplos de frutas tropicales", "Ejemplos son mango, papaya, piña y guayaba."),
        ("Donne-moi trois exemples de fromages", "Des exemples sont le brie, le comté, le bleu et le cantal."),
        ("果物の例を3つ挙げてください", "果物の例は、りんご、みかん、ぶどう、ももです。"),
        ("धातुओं के तीन उदाहरण दीजिए", "धातुओं के उदाहरण लोहा, ताँबा, जस्ता और चाँदी हैं।"),
        ("Name two colours", "red, blue and green."),
        ("Cite deux couleurs.", "rouge, bleu et vert."),
        ("¿Puedes darme dos colores?", "rojo, azul y verde."),
        ("Назови пять цветов", "Примеры: красный, синий, зелёный, жёлтый, лиловый и серый."),
        ("أعطني 3 ألوان", "الأحمر والأزرق والأخضر والأصفر"),
        ("과일의 예를 세 가지 들어 주세요", "과일의 예는 사과, 배, 포도, 감입니다."),
    ],
)
def test_one_example_more_than_asked_for_follows_the_instruction(query: str, answer: str):
    assert judged("instruction", query, answer).score > PASSED


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("List exactly 4 noble gases", "1. Helium\n2. Neon\n3. Argon"),
        ("Name exactly two rivers of Spain", "1. Ebro"),
        ("Noem precies drie rivieren in Nederland", "1. Maas\n2. Waal"),
        ("ठीक तीन नदियों के नाम बताइए", "1. गंगा\n2. यमुना"),
        ("정확히 세 개의 강 이름을 말해 주세요", "1. 한강\n2. 낙동강"),
        ("List exactly 6 vegetables, please.", "- carrot\n- leek\n- kale\n- beet\n- pea"),
        ("Nenne genau drei Flüsse in Frankreich", "1. Loire\n2. Rhône"),
        ("Enumera exactamente 3 capas de la Tierra", "1. Corteza\n2. Manto"),
        ("Cite exactement quatre couleurs", "1. rouge\n2. vert\n3. bleu"),
        ("惑星をちょうど3つ挙げてください", "1. 火星\n2. 金星"),
        ("Cita solo 2 colori", "1. rosso"),
        ("Cite exatamente duas cores", "1. azul"),
        ("Tam 2 renk listele", "1. mavi"),
        ("اذكر بالضبط 3 ألوان", "1. الأحمر\n2. الأزرق"),
        ("Exactly three Italian cities, please", "Rome, Milan"),
        ("Give me three Italian cities, no more and no less.", "Rome, Milan"),
        ("Please provide me with exactly 3 mammals.", "Dogs and whales."),
        ("Write exactly 5 bullet points about coffee", "- It is a drink.\n- It contains caffeine.\n- It is brown."),
        ("Liste exakt vier Obstsorten auf", "- Apfel\n- Birne\n- Kirsche"),
        ("암호화 알고리즘을 정확히 3개 나열하세요", "1. AES\n2. RSA"),
        ("اذكر ثلاث خوارزميات تشفير بالضبط", "1. AES\n2. RSA"),
        ("ठीक 3 एन्क्रिप्शन एल्गोरिदम सूचीबद्ध करें", "1. AES\n2. RSA"),
        ("Tam olarak 3 şifreleme algoritması listele", "1. AES\n2. RSA"),
    ],
)
def test_fewer_items_than_exactly_asked_for_do_not(query: str, answer: str):
    assert judged("instruction", query, answer).score < PASSED


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("List exactly 3 cloud providers", "AWS\nAzure\nGoogle Cloud"),
        ("Name exactly three encryption algorithms.", "1) AES 2) RSA 3) ChaCha20"),
        ("Name precisely five encryption algorithms.", "1) AES 2) RSA 3) DES 4) IDEA 5) Twofish"),
        ("Exactly two planets, please", "Mars and Venus are planets."),
        ("Choose exactly two of these: apple, pear, plum", "apple and plum"),
        ("Tell me exactly two things about Mars", "Mars is red. It has two moons."),
        ("Write exactly 3 bullet points about coffee", "- Coffee is a drink.\n- It wakes you up.\n- It is brown."),
    ],
)
def test_exactly_as_many_items_follow_however_they_are_laid_out(query: str, answer: str):
    assert judged("instruction", query, answer).score > PASSED
