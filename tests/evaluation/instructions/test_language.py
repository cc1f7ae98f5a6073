"""Whether an answer is in the language that was asked for, however short it is."""

import pytest

from eval_worker.evaluation.instructions.language import is_written_in

GREETINGS = {
    "german": "Guten Morgen, wie hast du geschlafen?",
    "french": "Bonjour, comment avez-vous dormi ?",
    "spanish": "Buenos días, ¿cómo dormiste?",
    "italian": "Buongiorno, come hai dormito?",
    "portuguese": "Bom dia, você dormiu bem?",
    "dutch": "Goedemorgen, hoe heb je geslapen?",
    "swedish": "God morgon, hur har du sovit?",
    "russian": "Доброе утро, как спалось?",
    "japanese": "おはよう、よく眠れた？",
}


@pytest.mark.parametrize(("language", "greeting"), GREETINGS.items())
def test_a_short_sentence_passes_for_its_own_language_and_english_for_none(language: str, greeting: str):
    assert is_written_in(language, greeting)
    assert not is_written_in(language, "Good morning, how did you sleep?")


def test_some_words_without_a_common_one_pass_only_in_doubt():
    text = "Katzen mögen Milch sehr."

    assert is_written_in("german", text)
    assert not is_written_in("german", text, in_doubt=False)
