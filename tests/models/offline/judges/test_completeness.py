"""Completeness by rules and weights."""

import pytest
from tests.models.offline.verdicts import evaluated, judged

from eval_worker.evaluation.aggregate import Verdict
from eval_worker.models.offline.reading.requests import find_requests

CIPHERS = "Encryption converts plaintext to ciphertext. Decryption reverses this."
TEA = (
    "Tea comes from the leaves of an evergreen shrub. The leaves of green tea are heated soon after the harvest, so "
    "that they stay green. The leaves of black tea wither and oxidise for hours, which makes them dark and strong. "
    "Oolong stands between the two."
)
TEA_QUERY = "Explain how green tea differs from black tea."
TEA_IN_FULL = (
    "The leaves of green tea are heated soon after the harvest and stay green, while the leaves of black tea wither "
    "and oxidise for hours, which makes them dark and strong."
)


@pytest.mark.parametrize(
    ("query", "answer", "context", "missing"),
    [
        (
            "Explain both encryption and decryption, and provide examples of each",
            "Encryption converts plaintext to ciphertext using a key.",
            CIPHERS,
            "decryption",
        ),
        (
            "Explain both encryption and decryption, and provide examples",
            "Encryption converts plaintext to ciphertext using algorithms like AES-256.",
            f"{CIPHERS} Example: AES-256.",
            "decryption",
        ),
        (
            "Describe photosynthesis and respiration, and give examples of each",
            "Photosynthesis turns light into sugar.",
            "",
            "respiration",
        ),
        ("What is a mortgage? How is interest calculated?", "A mortgage is a loan for a house.", "", "interest"),
        ("Explain TCP, UDP and SCTP and give an example of each.", "TCP is a reliable stream.", "", "SCTP"),
        (
            "1. What is a list?\n2. What is a tuple?\n3. What is a set?",
            "A tuple can't be changed.",
            "",
            "What is a set",
        ),
        ("a) Who wrote Hamlet? b) When was it written?", "Shakespeare wrote Hamlet.", "", "When was it written"),
        (
            "What are the advantages and disadvantages of wind power?",
            "Its advantage is clean power.",
            "",
            "disadvantages",
        ),
        (
            "Erkläre sowohl Verschlüsselung als auch Entschlüsselung und gib Beispiele für beide",
            "Verschlüsselung wandelt Klartext in Geheimtext um.",
            "",
            "Entschlüsselung",
        ),
        (
            "Expliquez la photosynthèse et la respiration, et donnez des exemples de chacune.",
            "La photosynthèse transforme la lumière en sucre.",
            "",
            "la respiration",
        ),
        (
            "Explica tanto el cifrado como el descifrado y da ejemplos de cada uno",
            "El cifrado convierte texto plano en texto cifrado.",
            "",
            "el descifrado",
        ),
        (
            "Объясни шифрование и дешифрование и приведи примеры каждого",
            "Шифрование превращает открытый текст в шифртекст.",
            "",
            "дешифрование",
        ),
        (
            "请解释加密和解密，并各举一个例子。",
            "加密用密钥把明文变成密文。",
            "加密把明文变成密文。解密则相反。",
            "解密",
        ),
        (
            "暗号化と復号の両方を説明し、それぞれの例を挙げてください。",
            "暗号化は平文を暗号文に変換します。",
            "",
            "復号",
        ),
    ],
)
def test_a_part_that_is_not_answered_costs_most_of_the_score_and_is_named(
    query: str, answer: str, context: str, missing: str
):
    opinion = judged("completeness", query, answer, context)
    assert opinion.score <= 0.4
    assert missing in opinion.reason


@pytest.mark.parametrize(
    ("query", "answer", "context"),
    [
        (
            "Explain both encryption and decryption, and provide examples of each",
            "Encryption encodes text, for example with AES. Decryption, for example with the AES key, turns it back.",
            "",
        ),
        (
            "Erkläre sowohl Verschlüsselung als auch Entschlüsselung und gib Beispiele für beide",
            "Verschlüsselung verbirgt Text, zum Beispiel mit AES. Entschlüsselung zeigt ihn, etwa dem Empfänger.",
            "",
        ),
        ("请解释加密和解密，并各举一个例子。", "加密把明文变成密文，例如AES。解密把密文变回明文，例如用同一密钥。", ""),
        ("Who wrote Hamlet and when was it written?", "Shakespeare wrote Hamlet around 1600.", ""),
        ("List three primary colours", "Red, yellow and blue.", ""),
        (
            "What are the advantages and disadvantages of wind power?",
            "A benefit is clean power, a drawback calm days.",
            "",
        ),
    ],
)
def test_an_answer_to_every_part_is_complete(query: str, answer: str, context: str):
    assert judged("completeness", query, answer, context).score >= 0.85


def test_a_part_is_answered_by_what_the_context_says_of_it_though_it_is_not_called_by_its_name():
    query = "Which days is the museum shut, and what does a ticket cost?"
    context = "The museum is shut on Mondays. A ticket costs nine euros."
    assert judged("completeness", query, "Every Monday; you pay nine euros.", context).score >= 0.8
    assert judged("completeness", query, "It is shut on Mondays.", context).score <= 0.4


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("Who wrote Hamlet?", "Shakespeare"),
        ("Is the sky blue?", "Yes."),
        ("What is 2 + 2?", "4"),
        ("Name the capital of France.", "Paris."),
        ("日本の首都はどこですか", "東京です。"),
    ],
)
def test_the_one_thing_asked_for_is_complete_in_one_word(query: str, answer: str):
    assert judged("completeness", query, answer).score >= 0.9


def test_more_of_what_the_context_says_on_the_matter_is_more_complete():
    shorter = ["Green tea stays green.", "Green tea is heated soon after the harvest.", TEA_IN_FULL]
    scores = [judged("completeness", TEA_QUERY, answer, TEA).score for answer in shorter]
    assert scores == sorted(scores)
    assert scores[-1] - scores[0] >= 0.2


def test_more_to_say_is_more_complete_without_a_context_too():
    less = judged("completeness", "How can I sleep better?", "Sleep in a dark room.")
    more = judged(
        "completeness",
        "How can I sleep better?",
        "Sleep in a dark, cool room. Go to bed at the same hour every sleep cycle. Late coffee cuts sleep short.",
    )
    assert more.score >= less.score + 0.15


@pytest.mark.parametrize(
    "worse",
    [
        TEA_IN_FULL.partition("oxidise")[0],
        " ".join([TEA_IN_FULL] * 3),
        f"{TEA_QUERY} {TEA_QUERY}",
    ],
    ids=["breaks off", "repeats itself", "repeats the query"],
)
def test_text_that_breaks_off_or_repeats_itself_is_less_complete(worse: str):
    assert (
        judged("completeness", TEA_QUERY, worse, TEA).score < judged("completeness", TEA_QUERY, TEA_IN_FULL, TEA).score
    )


def test_the_items_of_a_list_count_though_they_do_not_repeat_its_heading():
    query = "What should I pack for a hike?"
    heading = "For a hike you should pack:"
    items = "\n- a compass\n- sturdy boots\n- two litres of water\n- a whistle"
    assert judged("completeness", query, heading + items).score > judged("completeness", query, heading).score + 0.15


def test_fewer_things_than_were_asked_for_are_not_all():
    query = "List five fruits"
    opinion = judged("completeness", query, "1. Apple\n2. Pear")
    assert opinion.score <= 0.5
    assert "not as many" in opinion.reason


def test_a_text_that_is_handed_over_is_no_list_of_demands():
    query = "Correct the spelling.\n\nExplain why cats purr and how dogs bark. What is a purr?"
    assert "of the" not in judged("completeness", query, "Explain why cats purr and how dogs bark.").reason


def test_an_answer_that_nothing_links_to_the_question_is_not_complete():
    context = "France is a country in Western Europe. Its capital city is Paris."
    opinion = judged(
        "completeness", "What is the capital of France?", "Bananas are rich in potassium and taste.", context
    )
    assert opinion.score <= 0.25


def test_detail_that_was_asked_for_takes_more_than_a_line():
    query = "Explain the water cycle in detail"
    assert judged("completeness", query, "The water cycle moves water.").score <= 0.5


def test_declining_answers_nothing():
    assert judged("completeness", "Who wrote Hamlet?", "I don't know.").score <= 0.3


@pytest.mark.parametrize(
    ("query", "answer", "context"),
    [
        ("How often did they win the cup?", "Twice", "They won the cup in 1990 and in 2004."),
        ("How often has the comet been seen?", "Once.", "The comet was seen in 1858."),
        ("How often does it snow in Lagos?", "Never", "It does not snow in Lagos."),
        ("How many of the students failed?", "None", "All the students passed."),
        ("How many of the students passed?", "Half of them", "Of the 20 students, 10 passed."),
        ("Who is the manager?", "Ann", "The shop is managed by a woman from Leeds."),
        ("Wie oft war er dort?", "Zweimal", "Er war 1990 und 2004 dort."),
    ],
)
def test_a_direct_answer_in_words_that_the_context_lacks_is_complete(query: str, answer: str, context: str):
    assert judged("completeness", query, answer, context).score >= 0.85


ONE_SIDE = [
    ("List the advantages and the disadvantages of solar power.", "Solar power is clean and cheap to run."),
    ("What are the pros and cons of remote work?", "Remote work saves commuting time and lets people focus."),
    ("Describe the causes and effects of inflation.", "Inflation is caused by too much money in circulation."),
    ("Explain the similarities and differences of cats and dogs.", "Cats and dogs are both mammals and popular pets."),
    ("Describe the town before and after the flood.", "Before the flood it had a mill and a market."),
    ("Nenne die Vor- und Nachteile von Elektroautos.", "Elektroautos sind leise und fahren ohne Abgase."),
    ("Nenne Vorteile und Nachteile von Elektroautos.", "Elektroautos sind leise und fahren ohne Abgase."),
    ("¿Cuáles son las ventajas y desventajas de la energía solar?", "La energía solar es limpia y barata."),
]


@pytest.mark.parametrize(("query", "answer"), ONE_SIDE)
def test_one_of_two_sides_is_incomplete(query: str, answer: str):
    assert judged("completeness", query, answer).score <= 0.5
    assert evaluated(query, answer).verdict is not Verdict.PASS


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        (ONE_SIDE[0][0], "Solar power is clean and cheap to run, but it depends on the weather and takes up space."),
        (ONE_SIDE[1][0], "Pros: remote work saves commuting time. Cons: remote work can be lonely."),
        (ONE_SIDE[2][0], "Inflation is caused by too much money. Inflation leads to higher prices and lower savings."),
        (ONE_SIDE[3][0], "Cats and dogs are both mammals. Cats hunt alone, whereas dogs live in packs."),
        (ONE_SIDE[4][0], "Before the flood the town had a mill; after the flood the town was a field of mud."),
        (ONE_SIDE[6][0], "Elektroautos sind leise, aber ihre Reichweite ist gering und das Laden dauert lange."),
        (ONE_SIDE[7][0], "La energía solar es limpia y barata, pero la energía depende del clima."),
    ],
)
def test_both_sides_are_complete_though_the_answer_does_not_name_them(query: str, answer: str):
    assert judged("completeness", query, answer).score >= 0.75


def test_a_yes_that_is_a_sign_is_judged_like_a_word():
    assert judged("completeness", "Is the shop open?", "👍", "The shop is open.").score > 0.5
    assert judged("completeness", "????", "👍", "or or or or").score >= 0


CLOUD = "Cloud computing is an emerging technology which allows businesses to store and manage data."


@pytest.mark.parametrize(
    ("query", "reworked"),
    [
        (
            f"Rewrite this sentence concisely: {CLOUD}",
            "Cloud computing lets businesses store and manage data.",
        ),
        (
            "Revise this statement:\nThe history of Rome are full of wars.",
            "The history of Rome is full of wars.",
        ),
        (
            "Correct the transcription.\n\nThe bank charged my pull balance.",
            "The bank charged my full balance.",
        ),
        ("Combine the two sentences: He stayed at home. He did not go out.", "He stayed at home instead of going out."),
        ("Formuliere den folgenden Satz um: Die Katze, die alt war, schlief dort.", "Die alte Katze schlief dort."),
    ],
)
def test_what_was_given_to_be_reworked_is_to_be_found_again_but_not_as_it_was(query: str, reworked: str):
    given = query.partition("\n\n" if "\n\n" in query else ":")[2].strip()

    assert judged("completeness", query, reworked).score > 0.8
    assert judged("relevance", query, reworked).score > 0.8
    for unchanged in (given, f"{given} It reads well now.", f"Here you are: {given}"):
        assert judged("completeness", query, unchanged).score < 0.3
    assert judged("completeness", query, "Figs ripen late in the mountains of Crete.").score < 0.3


@pytest.mark.parametrize("remark", ["well structured and thoroughly sourced", "as the given text rightly confirms"])
def test_words_that_fit_any_text_at_either_end_make_an_answer_no_more_complete(remark: str):
    """They are read as part of its sentence where a blank joins them, and still are not counted."""
    answer = "leaves of green tea are heated, those of black tea wither"
    plain = judged("completeness", TEA_QUERY, answer).score

    assert judged("completeness", TEA_QUERY, f"{answer} {remark}").score <= plain
    assert judged("completeness", TEA_QUERY, f"{remark} {answer}").score <= plain


SHIPPING = "We ship to Norway and Switzerland. Parcels take 5 to 8 working days. The flat rate is 14.90 euros."
BY_MEASURE = [
    ("Do you ship to Norway and how long does it take?", "Yes, we ship to Norway! Expect it in 5 to 8 days."),
    ("Do you ship to Norway and how long does it take?", "Yes, we ship to Norway! It's 8 working days."),
    ("Do you ship to Norway and how much does it cost?", "Yes, we ship to Norway! It's a flat €14.90."),
]


@pytest.mark.parametrize(("query", "answer"), BY_MEASURE)
def test_how_long_and_how_much_are_answered_by_a_time_and_a_price(query: str, answer: str):
    whole = judged("completeness", query, answer, SHIPPING)
    half = judged("completeness", query, "Yes, we ship to Norway!", SHIPPING)
    assert whole.score >= 0.7
    assert half.score <= whole.score - 0.2


PAYROLL = "Report errors to payroll@harbour.example by the 5th of the following month. Payslips come on the 25th."


def test_a_question_after_a_preposition_is_a_part_of_its_own():
    query = "Who do I contact about a wrong payslip and by when must I report it?"
    whole = "Report a wrong payslip to payroll@harbour.example by the 5th of the following month."
    assert judged("completeness", query, whole, PAYROLL).score >= 0.7
    assert judged("completeness", query, "Send it to payroll@harbour.example by the 5th.", PAYROLL).score >= 0.7
    half = judged("completeness", query, "You contact payroll about a wrong payslip.", PAYROLL)
    assert half.score < 0.5
    assert "by when must I report it" in half.reason


SMALL_TASKS = [
    ("Put these in alphabetical order: pear, apple, fig, mango", "apple, fig, mango, pear, as you wished"),
    ("Generate a YAML config for a server on port 80.", "```yaml\nserver:\n  port: 80\n```"),
    ("Translate this into English: Das Wetter war schrecklich.", '"The weather was terrible."'),
    ("Write a haiku about autumn.", "Crimson leaves let go,\ndrifting down on quiet streets.\nAutumn smoke curls up."),
    ("Fix this code: for i in range(10) print(i)", "The colon was missing:\n\nfor i in range(10):\n    print(i)"),
]


@pytest.mark.parametrize(("query", "answer"), SMALL_TASKS)
def test_a_small_task_is_done_in_few_words(query: str, answer: str):
    assert judged("completeness", query, answer).score >= 0.5


def test_code_that_comes_back_as_it_was_is_not_fixed():
    query = "Fix this code: for i in range(10) print(i)"
    assert judged("completeness", query, "for i in range(10) print(i)").score <= 0.2


def test_what_the_context_lacks_leaves_no_part_open():
    menu = "Pizza Margherita 9.50: tomato, mozzarella, basil. Ask our staff about allergens."
    answer = "I'm sorry, the menu doesn't say whether there is a gluten-free pizza."
    assert judged("completeness", "Is there a gluten-free pizza?", answer, menu).score >= 0.5
    assert judged("completeness", "Which pizza has basil?", "I'm sorry, the menu doesn't say.", menu).score <= 0.3


def test_of_a_conversation_in_the_query_the_last_turn_is_what_is_asked():
    query = (
        "User: What's the tallest mountain in Africa?\nAssistant: Kilimanjaro in Tanzania.\nUser: and in South America?"
    )
    assert judged("completeness", query, "Aconcagua in Argentina, South America's highest peak.").score > 0.5


def test_an_hour_answers_what_time():
    query = "What time does the pool close on Sundays and what is the fee?"

    assert judged("completeness", query, "The pool is open until 9 pm, and you pay 4 euros.").score > 0.5
    assert judged("completeness", query, "The pool is lovely, and you pay 4 euros.").score < 0.5


@pytest.mark.parametrize(
    "query", ["Comment préparer un voyage en Italie ?", "¿Cómo puedo ahorrar dinero en casa?", "Que visiter en Grèce ?"]
)
def test_a_place_is_no_second_thing_asked_for(query: str):
    assert len(find_requests(query)) == 1
