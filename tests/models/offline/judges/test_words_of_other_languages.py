"""In any language an answer may be on its query without a word of it, and one on something else is not."""

import pytest
from tests.models.offline.verdicts import judged

ANSWERS = {
    "¿Qué puedo cocinar para una cena vegetariana?": "Unas berenjenas rellenas de queso con arroz y ensalada de "
    "tomate. De postre, una tarta de limón.",
    "怎么改善睡眠？": "晚上不要喝咖啡，早点上床休息，卧室保持安静和黑暗。白天多运动，避免压力。",
    "Wie finde ich eine günstige Wohnung?": "Frag im Freundeskreis nach Zimmern, vergleiche Mieten im Internet und "
    "schau dir auch Häuser am Rand der Stadt an.",
    "Comment préparer un voyage en Italie ?": "Réservez les billets de train à l'avance, choisissez un hôtel au centre "
    "de Rome ou de Florence et visitez les musées le matin.",
}
EACH_WITH_ANOTHER = {
    "¿Qué puedo cocinar para una cena vegetariana?": "El motor del coche pierde aceite y los frenos hacen ruido; "
    "llévalo al taller.",
    "怎么改善睡眠？": "公司股票价格上涨，投资者关注银行利率和政府政策。",
    "Wie finde ich eine günstige Wohnung?": "Der Verein gewann das Endspiel, weil sein Torwart in der Verlängerung "
    "zwei Elfmeter hielt.",
    "Comment préparer un voyage en Italie ?": "La cellule transforme le sucre en énergie, et les protéines règlent "
    "la croissance des tissus.",
}


@pytest.mark.parametrize(("query", "answer"), ANSWERS.items())
def test_an_answer_is_relevant_in_words_of_its_own(query: str, answer: str):
    assert judged("relevance", query, answer).score >= 0.4
    assert judged("completeness", query, answer).score >= 0.4


@pytest.mark.parametrize(("query", "answer"), EACH_WITH_ANOTHER.items())
def test_an_answer_to_something_else_is_not(query: str, answer: str):
    assert judged("relevance", query, answer).score <= 0.2
    assert judged("completeness", query, answer).score <= 0.3


DOGS = (
    "Mietvertrag §8. Kleintiere dürfen ohne Erlaubnis gehalten werden. Hunde und Katzen bedürfen der schriftlichen "
    "Zustimmung des Vermieters, die nur aus wichtigem Grund verweigert werden darf. Blindenhunde sind stets gestattet."
)


def test_an_answer_about_what_the_context_says_is_half_faithful_in_words_that_are_not_known_as_its():
    query = "Darf ich in der Wohnung einen Hund halten?"
    own = "Du brauchst dafür eine schriftliche Genehmigung. Er kann sie dir nur mit triftigem Grund verwehren."
    bow = "Ein Regenbogen entsteht, wenn Sonnenlicht in Wassertropfen gebrochen wird. Er steht der Sonne gegenüber."

    assert judged("faithfulness", query, own, DOGS).score >= 0.5
    assert judged("faithfulness", query, f"{own} Das kostet 750 Euro.", DOGS).score < 0.5
    assert judged("faithfulness", query, bow, DOGS).score <= 0.2


def test_of_a_language_that_is_not_known_an_answer_gets_the_benefit_of_the_doubt():
    query = "बारिश के मौसम में कपड़ों की बदबू कैसे दूर करें?"
    answer = "धोते समय पानी में आधा कप सिरका मिलाएँ। धुलाई के तुरंत बाद उन्हें पंखे के नीचे फैलाकर सुखाएँ।"

    assert judged("relevance", query, answer).score >= 0.4
    assert judged("relevance", query, f"कपड़ों की बदबू: {answer}").score > judged("relevance", query, answer).score
    assert judged("relevance", query, "Wash them at once and let them dry quickly in fresh air outside.").score < 0.2
