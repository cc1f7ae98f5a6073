"""What of a sentence can be attributed to a context."""

from eval_worker.models.offline.context.attribution import Attribution, Evidence
from eval_worker.models.offline.reading.statement import Reader, read_statement

HARBOUR = "The harbour was built in 1887. A storm destroyed the old pier. Boats from Bergen still land here every week."


def attribution(claim: str, context: str = HARBOUR) -> Attribution:
    (found,) = Evidence(Reader().read(context)).attribution_of(read_statement(claim))
    return found


def test_a_copied_sentence_is_attributed_in_full():
    found = attribution("A storm destroyed the old pier.")

    assert (found.near, found.in_two, found.found, found.in_order, found.copied) == (1, 1, 1, 1, 1)
    assert found.missing == ()


def test_words_that_stand_far_apart_are_found_but_not_near():
    context = "Ada builds clocks. " + "The town sleeps at noon. " * 3 + "Bruno paints boats."

    assert attribution("Ada paints clocks and boats.", context).near < 0.8
    assert attribution("Ada paints clocks and boats.", context).in_two == 1


def test_the_same_words_in_another_order_are_less_in_order_and_not_copied():
    turned = attribution("The old pier destroyed a storm.")

    assert turned.near == 1
    assert turned.in_order < 0.7
    assert turned.copied < 0.5


def test_a_number_and_a_name_that_the_context_lacks_are_strange():
    assert attribution("The harbour was built in 1911.").strange_numbers == 1
    assert attribution("Boats from Dublin land here.").strange_names > 0
    assert attribution("Boats from Bergen land here.").strange_names == 0


def test_what_is_missing_is_named_in_order():
    assert attribution("The harbour was built by wealthy merchants.").missing == ("wealthy", "merchants")


def test_who_speaks_counts_where_the_context_does_not_speak():
    assert attribution("I love the old pier.").near < attribution("They love the old pier.").near


def test_passages_about_something_else_change_nothing():
    more = f"{HARBOUR} Whoever reads this may think of lemons."

    assert attribution("A storm destroyed the pier.", more) == attribution("A storm destroyed the pier.")


def test_scripts_without_spaces_are_attributed_too():
    context = "法国的首都是巴黎。它位于塞纳河畔。"

    assert attribution("首都是巴黎。", context).near == 1
    assert attribution("首都是里昂。", context).near < 0.7
