"""An answer may say alike what is alike: steps, options, cases, the questions of a form. Saying nothing new may not."""

import pytest
from tests.models.offline.verdicts import judged

SURVEY = """1. How would you rate the cleanliness of your room?
2. How would you rate the friendliness of our staff?
3. How would you rate the breakfast buffet?
4. How would you rate the location of the hotel?
5. How would you rate the speed of the wireless network?
6. How would you rate the price you paid?"""

EDITORS = """Some alternatives to Photoshop on Linux are:
* GIMP: a free image editor that is available for Linux and often considered a good alternative to Photoshop.
* Krita: a free painting program that is available for Linux and often considered a good alternative to Photoshop.
* Pinta: a simple drawing program that is available for Linux and often considered a good alternative to Paint.
* Darktable: a free raw developer that is available for Linux and often considered a good alternative to Lightroom."""

SUM = """Let x be the number of marbles that Tom had at first.

After the first game, half of the marbles were gone, so Tom had x/2 marbles left. Then he won 4 marbles, so Tom had \
x/2 + 4 marbles.

After the second game, 6 marbles were gone, so Tom had x/2 - 2 marbles left. Then he won 8 marbles, so Tom had \
x/2 + 6 marbles.

Since Tom had 25 marbles in the end, x/2 + 6 = 25, so x = 38.

Therefore, Tom had 38 marbles at first."""

COURSES = """1. Introduction to Marine Biology
2. Advanced Marine Biology
3. Marine Biology of the Tropics
4. Field Methods in Marine Biology
5. The History of Marine Biology"""

PARALLEL = {
    "a form": ("Make a questionnaire for the guests of our hotel.", SURVEY),
    "descriptions": ("Which alternatives to Photoshop are there on Linux?", EDITORS),
    "a calculation": (
        "Tom lost half of his marbles and won 4. Then he lost 6 and won 8. He has 25 now. How many had he at first?",
        SUM,
    ),
    "titles": ("Suggest courses for somebody who likes marine biology.", COURSES),
}

ITEMS_AGAIN = """1. Dracula by Bram Stoker
2. Emma by Jane Austen
3. Dracula by Bram Stoker
4. Emma by Jane Austen
5. Dracula by Bram Stoker
6. Emma by Jane Austen"""

ADVICE_AGAIN = """1. Try to listen to your friend.
2. Be patient and try to understand.
3. Be patient and listen.
4. Try to understand your friend.
5. Try to be patient.
6. Listen and try to understand your friend."""

PROSE_AGAIN = """The cinematography of the film is stunning and full of vibrant colours. The colours are vibrant. The \
film is full of stunning colours. The vibrant colours of the film are stunning. It is full of colours."""

ROUND_AND_ROUND = {
    "items": ("Suggest audiobooks for first-time listeners.", ITEMS_AGAIN),
    "advice": ("My friend is moody on our road trip. What should I do?", ADVICE_AGAIN),
    "prose": ("What is the cinematography of the film like?", PROSE_AGAIN),
}

CASES_APART = """It depends on the prompt. If the prompt is clear, the code that I write is useful. If the prompt \
is not clear, the code that I write is not useful."""

GROUPS_APART = """Choose a sample of customers who have seen the new advertisement. Choose a similar sample of \
customers who have not seen the new advertisement. Compare what the two samples buy."""

OPTIONS_APART = """Choice 1: Order a drink with alcohol.
Choice 2: Order a drink without alcohol.
Choice 3: Go home."""

ROLLS_APART = (
    "If you roll 1, go back to the start. If you roll 3, go back to the start. If you roll 6, you win the game."
)

NO_CONTRADICTION = {
    "cases": ("Can you write code from a prompt?", CASES_APART),
    "groups": ("How do I test our new advertisement?", GROUPS_APART),
    "options": ("Write a quiz about a night out with choices.", OPTIONS_APART),
    "numbered cases": ("How does the game go on?", ROLLS_APART),
}

CONTRADICTION = {
    "one case": "If the prompt is clear, the code is useful. If the prompt is clear, the code is not useful.",
    "one group": "Those who saw the spot bought more soap. Those who saw the spot did not buy more soap.",
}

LETTER = """Dear friends,

I would like to invite you all to dinner at my place on Friday evening. It has been far too long since we last \
caught up. There will be pasta, wine and my grandmother's tiramisu.

Please tell me by Wednesday whether you can make it.

Yours, Ada"""

STORY = """It was a sunny day in the woods when John set out. He wandered between towering trunks and across a meadow. \
Birds sang overhead, and a gentle breeze blew. At the far edge stood a small cottage with a crooked chimney. He \
smiled, turned around and was home before dark."""

MADE_UP = {
    "a letter": ("Write an e-mail that invites my friends to dinner on Friday.", LETTER),
    "a story": ("Write a short story about a walk in the woods.", STORY),
}


def coherence(query: str, answer: str, context: str = "") -> float:
    return judged("coherence", query, answer, context).score


@pytest.mark.parametrize(("query", "answer"), PARALLEL.values(), ids=PARALLEL)
def test_what_is_alike_may_be_said_alike(query: str, answer: str):
    assert coherence(query, answer) >= 0.9


@pytest.mark.parametrize(("query", "answer"), ROUND_AND_ROUND.values(), ids=ROUND_AND_ROUND)
def test_what_says_nothing_new_goes_round_in_circles(query: str, answer: str):
    assert coherence(query, answer) <= 0.6


@pytest.mark.parametrize(("query", "answer"), NO_CONTRADICTION.values(), ids=NO_CONTRADICTION)
def test_what_is_said_of_different_cases_does_not_contradict(query: str, answer: str):
    assert coherence(query, answer) >= 0.8


@pytest.mark.parametrize("answer", CONTRADICTION.values(), ids=CONTRADICTION)
def test_what_is_said_of_one_case_does(answer: str):
    assert coherence("What did we find?", answer) <= 0.4


@pytest.mark.parametrize(("query", "answer"), MADE_UP.values(), ids=MADE_UP)
def test_what_is_made_up_speaks_of_what_it_likes(query: str, answer: str):
    assert coherence(query, answer) >= 0.9


def test_what_is_made_up_has_no_remark_by_the_way():
    query, story = MADE_UP["a story"]

    assert coherence(query, f"{story} By the way, the new phone has three cameras.") <= 0.5


def test_an_item_of_a_list_is_linked_by_its_list():
    context = "Public keys are put on key servers, web sites and profiles."
    answer = (
        "You can hand out your public key in these ways:\n* Upload it to a key server\n* Put it on your web site\n"
        "* Print the fingerprint onto business cards\n* Add it to your profile"
    )

    assert coherence("How should I hand out my public key?", answer, context) >= 0.9
