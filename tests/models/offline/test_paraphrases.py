"""The examples that the docs and the API show come out as they do for what they are, not for their words.

Each is told here of other topics, with other counts, and in other languages.
"""

import pytest
from tests.models.offline.verdicts import evaluated, judged

from eval_worker.evaluation.aggregate import Verdict

PASSED = 0.7


@pytest.mark.parametrize(
    ("query", "answer", "context"),
    [
        (
            "What is the longest river of Africa?",
            "The longest river of Africa is the Nile.",
            "The Nile flows through eleven countries. It is the longest river of Africa.",
        ),
        (
            "Who designed the Eiffel Tower?",
            "The Eiffel Tower was designed by Stephen Sauvestre.",
            "The Eiffel Tower stands in Paris. It was designed by Stephen Sauvestre and named after Gustave Eiffel.",
        ),
        (
            "Was ist die Hauptstadt von Österreich?",
            "Die Hauptstadt von Österreich ist Wien.",
            "Österreich liegt in Mitteleuropa. Seine Hauptstadt ist Wien.",
        ),
        (
            "¿Cuál es la capital de Perú?",
            "La capital de Perú es Lima.",
            "Perú es un país de Sudamérica. Su capital es Lima.",
        ),
        (
            "Quelle est la capitale du Japon ?",
            "La capitale du Japon est Tokyo.",
            "Le Japon est un pays d'Asie. Sa capitale est Tokyo.",
        ),
        ("日本で一番高い山は何ですか？", "日本で一番高い山は富士山です。", "富士山は日本で一番高い山です。"),
        (
            "भारत की राजधानी क्या है?",
            "भारत की राजधानी नई दिल्ली है।",
            "भारत दक्षिण एशिया का एक देश है। इसकी राजधानी नई दिल्ली है।",
        ),
        ("中国的首都是哪里？", "中国的首都是北京。", "中国是亚洲的一个国家，首都是北京。"),
        (
            "What's the boiling point of water at sea level?",
            "Water boils at 100 degrees Celsius at sea level.",
            "At sea level, water boils at 100 °C.",
        ),
        (
            "What is the tallest mountain on Earth?",
            "The tallest mountain on Earth is Mount Everest.",
            "Mount Everest, in the Himalayas, is Earth's highest mountain above sea level.",
        ),
        (
            "Who painted the Mona Lisa?",
            "Leonardo da Vinci painted the Mona Lisa.",
            "The Mona Lisa is a portrait by Leonardo da Vinci. It hangs in the Louvre.",
        ),
        (
            "What payment methods are accepted?",
            "According to the documentation, the shop accepts credit cards.",
            "Our shop accepts credit cards.",
        ),
        ("Tell me the capital of Peru.", "Lima.", "The capital of Peru is Lima, a city on the Pacific coast."),
        (
            "What is the capital of Canada?",
            "The answer is Ottawa.",
            "Canada is a country in North America. Its capital is Ottawa.",
        ),
        ("How fast is the train?", "The train reaches a speed of 300 km/h.", "The train reaches 300 km/h."),
        (
            "Which payment methods do you accept?",
            "We accept Visa as well as Mastercard.",
            "We accept Visa and Mastercard.",
        ),
        (
            "Wer hat den Faust geschrieben?",
            "Der Faust wurde von Goethe geschrieben.",
            "Faust ist eine Tragödie von Goethe.",
        ),
        (
            "Wann wurde die Firma gegründet?",
            "Die Firma wurde im Jahr 1998 gegründet.",
            "Die Firma wurde 1998 in Hamburg gegründet.",
        ),
        (
            "프랑스의 수도는 어디입니까?",
            "프랑스의 수도는 파리입니다.",
            "프랑스는 서유럽에 있는 나라입니다. 수도는 파리입니다.",
        ),
        ("ما هي عاصمة فرنسا؟", "عاصمة فرنسا هي باريس.", "فرنسا دولة في أوروبا الغربية. باريس هي عاصمتها."),
    ],
)
def test_a_fact_that_the_context_has_passes(query: str, answer: str, context: str):
    assert evaluated(query, answer, context).verdict is Verdict.PASS
    assert judged("faithfulness", query, answer, context).score > PASSED


@pytest.mark.parametrize(
    ("query", "answer", "context"),
    [
        (
            "What is meant by AI?",
            "AI is technology that mimics human cognition.",
            "AI stands for Artificial Intelligence.",
        ),
        ("Define osmosis.", "Osmosis is the movement of water through a membrane.", "Osmosis is a process."),
        (
            "Give me a definition of VPN.",
            "VPN is a service that encrypts your traffic.",
            "VPN means Virtual Private Network.",
        ),
        (
            "What are stem cells?",
            "Stem cells are cells that can turn into many other kinds of cells.",
            "Stem cells can become other cells.",
        ),
        ("O que é IA?", "IA refere-se à inteligência artificial.", "IA significa Inteligência Artificial."),
        ("Что такое ИИ?", "ИИ — это искусственный интеллект.", "ИИ означает искусственный интеллект."),
        ("AIとは何ですか？", "AIとは人工知能のことです。", "AIは人工知能の略です。"),
    ],
)
def test_what_a_thing_is_may_be_asked_and_told_in_other_words(query: str, answer: str, context: str):
    assert judged("relevance", query, answer, context).score > 0.85


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("Describe how photosynthesis works in plants", "sure"),
        ("Why is the sky blue?", "right"),
        ("Define osmosis.", "Certainly."),
        ("Write a long essay on the causes of the French Revolution", "k"),
        ("Explica la teoría de la evolución en detalle", "vale"),
        ("Erkläre die Relativitätstheorie im Detail", "okay"),
        ("Explique la théorie des cordes en détail", "d'accord"),
        ("相対性理論を詳しく説明してください", "はい"),
    ],
)
def test_a_word_of_assent_is_no_explanation_and_exits(query: str, answer: str):
    assert evaluated(query, answer).early_exit


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("Explain the theory of relativity in detail", "ok sure"),
        ("Discuss the impact of social media on teenagers", "Got it"),
        ("Walk me through setting up two-factor authentication", "No problem"),
        ("How do I configure a firewall on Ubuntu?", "okay!"),
        ("Explique a teoria da relatividade em detalhe", "tudo bem"),
        ("Spiega la teoria della relatività nei dettagli", "va bene"),
        ("Beschreibe die Ursachen des Ersten Weltkriegs", "Alles klar"),
        ("Décris le fonctionnement d'un moteur", "très bien"),
        ("Explica cómo funciona un motor", "de acuerdo"),
        ("光合成について詳しく説明してください", "わかりました"),
        ("सापेक्षता के सिद्धांत को विस्तार से समझाइए", "ठीक है"),
    ],
)
def test_nothing_but_assent_exits_however_short_the_query(query: str, answer: str):
    assert evaluated(query, answer).early_exit
    assert judged("coherence", query, answer).score == 0


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("I will be ten minutes late for our call.", "No problem"),
        ("How did the interview go yesterday?", "Very good"),
        ("How do you say 'everything is clear' in German?", "Alles klar"),
        ("What did the waiter reply when you asked for the bill?", "Of course"),
        ("Could you water the plants tomorrow?", "Of course"),
        ("Explain nothing, just reply with 'got it'.", "Got it"),
    ],
)
def test_assent_to_who_wants_nothing_explained_does_not_exit(query: str, answer: str):
    assert not evaluated(query, answer).early_exit


@pytest.mark.parametrize(
    ("query", "answer", "context"),
    [
        (
            "Explain both evaporation and condensation, and provide examples of each",
            "Evaporation turns a liquid into vapour when it is heated.",
            "Evaporation turns a liquid into vapour. Condensation reverses this.",
        ),
        (
            "Describe mitosis and meiosis, and give an example of each",
            "Mitosis divides a cell into two identical cells.",
            "Mitosis makes two identical cells. Meiosis makes four different ones.",
        ),
        (
            "What are stalactites and stalagmites, and where can I see some?",
            "Stalactites hang from the roof of a cave.",
            "Stalactites hang from the roof of a cave. Stalagmites grow from its floor. Both are in Carlsbad Caverns.",
        ),
        (
            "Erkläre sowohl Export als auch Import und nenne Beispiele",
            "Export heißt, dass Waren in andere Länder verkauft werden.",
            "Export heißt, dass Waren in andere Länder verkauft werden. Import ist das Gegenteil.",
        ),
        (
            "Explica tanto la inflación como la deflación y da ejemplos de cada una",
            "La inflación es la subida general de los precios.",
            "La inflación es la subida de los precios. La deflación es lo contrario.",
        ),
        (
            "蒸発と凝縮の両方を説明し、それぞれの例を挙げてください",
            "蒸発は液体が気体になることです。",
            "蒸発は液体が気体になることです。凝縮はその逆です。",
        ),
        (
            "वाष्पीकरण और संघनन दोनों को समझाइए और प्रत्येक का उदाहरण दीजिए",
            "वाष्पीकरण में द्रव गैस बन जाता है।",
            "वाष्पीकरण में द्रव गैस बन जाता है। संघनन इसका उल्टा है।",
        ),
        (
            "Describe upload as well as download, with examples",
            "Uploading sends data from your device to a server.",
            "Uploading sends data to a server. Downloading receives data from it.",
        ),
        (
            "Give an explanation of both encryption and decryption and share examples of each",
            "Encryption converts plaintext to ciphertext using a key.",
            "Encryption converts plaintext to ciphertext. Decryption reverses this.",
        ),
        (
            "Help me understand inflation and deflation; show examples of each.",
            "Inflation is a general rise in prices.",
            "Inflation means rising prices. Deflation means falling prices.",
        ),
        (
            "Define supply and demand and illustrate each with a real-life example",
            "Supply is the amount of a good that producers are willing to sell.",
            "Supply is what producers sell. Demand is what consumers want to buy.",
        ),
        (
            "Explique à la fois la fission et la fusion, et donne des exemples de chacune",
            "La fission consiste à casser un noyau lourd en noyaux plus légers.",
            "La fission casse un noyau lourd. La fusion unit des noyaux légers.",
        ),
        (
            "Hem şifrelemeyi hem de şifre çözmeyi açıkla ve her birine örnek ver",
            "Şifreleme, düz metni bir anahtar kullanarak şifreli metne dönüştürür.",
            "Şifreleme düz metni şifreli metne dönüştürür. Şifre çözme bunu tersine çevirir.",
        ),
        (
            "اشرح التشفير وفك التشفير مع ذكر أمثلة على كل منهما",
            "التشفير يحول النص العادي إلى نص مشفر باستخدام مفتاح.",
            "التشفير يحول النص العادي إلى نص مشفر. فك التشفير يعكس ذلك.",
        ),
    ],
)
def test_half_of_what_was_asked_for_is_incomplete_and_does_not_pass(query: str, answer: str, context: str):
    assert judged("completeness", query, answer, context).score < 0.5
    assert evaluated(query, answer, context).verdict is not Verdict.PASS


INFLUENZA = (
    "Influenza is caused by a virus. Its symptoms include fever and cough. Treatment consists of rest and antivirals."
)


@pytest.mark.parametrize(
    "query",
    [
        "What are the causes, symptoms and treatment of influenza?",
        "Tell me about the causes, symptoms, and treatment of influenza.",
        "Give me the causes, the symptoms, and the treatment of influenza.",
        "Please provide the causes, symptoms, and treatment of influenza.",
        "What are the causes of influenza? What are its symptoms? And what is the treatment?",
        "For influenza, what are the causes, symptoms and treatment?",
    ],
)
def test_one_of_three_things_is_not_all_of_them(query: str):
    assert judged("completeness", query, "Its symptoms include fever and cough.", INFLUENZA).score < 0.5
    assert judged("completeness", query, INFLUENZA, INFLUENZA).score > PASSED


def test_what_is_listed_beside_two_sides_is_a_third():
    query = "What are the benefits, drawbacks and costs of remote work?"
    sides = "One benefit is less commuting. A drawback is isolation."
    whole = f"{sides} The costs are low."
    assert judged("completeness", query, sides, whole).score <= PASSED
    assert judged("completeness", query, whole, whole).score > PASSED


def test_attributes_need_not_be_called_by_their_names():
    assert judged("completeness", "Give me the name and the age of the new player.", "Bob Stone, 12.").score > PASSED


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        (
            "Describe upload as well as download, with examples",
            "Uploading sends data to a server, such as posting a photo. Downloading receives data, such as a PDF.",
        ),
        (
            "Spiega sia la fissione sia la fusione e fornisci esempi di ciascuna",
            "La fissione divide un nucleo pesante, ad esempio l'uranio. La fusione unisce nuclei lievi, ad esempio H.",
        ),
        (
            "Give an explanation of both evaporation and condensation and share examples of each",
            "Evaporation makes vapour. An example is laundry drying. Condensation reverses it. An example is dew.",
        ),
        (
            "请解释加密和解密，并分别举例说明",
            "加密把明文转换成密文，例如用AES加密文件。解密则相反，例如打开加密的文件。",
        ),
        (
            "암호화와 복호화를 모두 설명하고 각각의 예를 들어 주세요",
            "암호화는 평문을 암호문으로 변환하며, 예를 들어 AES가 있습니다. 복호화는 그 반대이며, 예를 들어 열기다.",
        ),
    ],
)
def test_both_halves_with_their_examples_are_complete(query: str, answer: str):
    assert judged("completeness", query, answer).score > PASSED


@pytest.mark.parametrize(
    ("query", "answer", "context"),
    [
        (
            "What colours does the bike come in?",
            "The bike comes in red and also has a gold-plated edition.",
            "Our bike comes in red.",
        ),
        (
            "What does the plan include?",
            "The plan includes 5 GB of data and also offers free satellite calls.",
            "The plan includes 5 GB of data per month.",
        ),
        (
            "Welche Sprachen unterstützt das Gerät?",
            "Das Gerät unterstützt Deutsch und bietet außerdem Klingonisch an.",
            "Unser Gerät unterstützt Deutsch.",
        ),
        (
            "¿Qué pagos acepta la tienda?",
            "La tienda acepta tarjetas y también ofrece pagos con criptomonedas cuánticas.",
            "Nuestra tienda acepta tarjetas de crédito.",
        ),
        ("この製品の保証期間は？", "保証期間は2年で、さらに月面配送も提供します。", "この製品の保証期間は2年です。"),
    ],
)
def test_an_invention_beside_what_is_so_is_not_faithful(query: str, answer: str, context: str):
    assert judged("faithfulness", query, answer, context).score <= PASSED


@pytest.mark.parametrize(
    ("query", "answer", "context"),
    [
        (
            "How does a sail work?",
            "A sail catches the wind. But also, my cat is adorable. The boat then moves forward.",
            "A sail uses the wind to move a boat.",
        ),
        (
            "How do vaccines work?",
            "Vaccines train the immune system. By the way, football is exciting. Antibodies then fight the virus.",
            "Vaccines train the immune system to make antibodies.",
        ),
        (
            "Wie funktioniert ein Motor?",
            "Ein Motor verbrennt Kraftstoff. Übrigens ist Schokolade lecker. Die Kolben treiben die Welle an.",
            "Ein Motor verbrennt Kraftstoff und treibt mit Kolben eine Welle an.",
        ),
        (
            "Comment marche une éolienne ?",
            "Une éolienne tourne avec le vent. Au fait, les crêpes sont délicieuses. L'alternateur produit du courant.",
            "Une éolienne transforme le vent en courant avec un alternateur.",
        ),
        (
            "電池はどのように働きますか？",
            "電池は化学反応で電気を作ります。ところで、寿司はおいしいです。電子が回路を流れます。",
            "電池は化学反応で電気を作り、電子が回路を流れます。",
        ),
    ],
)
def test_an_aside_on_something_else_is_not_coherent(query: str, answer: str, context: str):
    assert judged("coherence", query, answer, context).score <= 0.5
