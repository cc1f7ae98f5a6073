"""What of a context is knowledge, and what was said before."""

from eval_worker.models.offline.context.knowledge import knowledge_in

TURNS = "Conversation so far:\nUser: Do you like owls?\nAssistant: I do, they are so quiet."


def test_turns_of_a_conversation_and_their_heading_are_no_knowledge():
    assert knowledge_in(f"Knowledge: owls turn their heads by 270 degrees.\n\n{TURNS}") == (
        "owls turn their heads by 270 degrees."
    )


def test_knowledge_that_follows_the_conversation_is_kept():
    assert knowledge_in(f"{TURNS}\nOwls hunt at night.") == "Owls hunt at night."


def test_a_conversation_alone_is_what_there_is_to_know():
    turns = "User: My order is late.\nAssistant: It ships on Monday."

    assert knowledge_in(turns) == turns


def test_a_context_without_turns_stays_as_it_is():
    context = "Q: Who runs the shop?\nA: Anna runs it.\n\nFacts: it opens at nine."

    assert knowledge_in(context) == context
