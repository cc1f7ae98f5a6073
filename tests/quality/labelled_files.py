"""Files of labelled records for tests."""

from typing import Any

from tests.events import event

CONTEXT = "The lighthouse of Brennik was built in 1871. It is 31 metres high and its lamp is seen for 20 miles."
QUERY = "When was the lighthouse of Brennik built, and how high is it?"
FAITHFUL = "The lighthouse of Brennik was built in 1871 and is 31 metres high."
UNFAITHFUL = "The lighthouse of Brennik was built in 1902 and is 88 metres high, a gift from a Danish king."


def labelled(event_id: str, *, answer: str = FAITHFUL, query: str = QUERY, **labels: Any) -> dict[str, Any]:
    return event(event_id, query=query, answer=answer, context=CONTEXT) | labels


def rated(count: int = 24) -> list[dict[str, Any]]:
    """Two answers to each question, of which people found one faithful; the number tells the questions apart."""
    return [
        labelled(
            f"r-{number}",
            answer=UNFAITHFUL if number % 2 else FAITHFUL,
            human={"faithfulness": 0.0 if number % 2 else 1.0},
            group=f"item-{number // 2}",
        )
        for number in range(count)
    ]


def chosen(count: int = 12, judge: str = "faithfulness") -> list[dict[str, Any]]:
    """Pairs of which people preferred the faithful answer."""
    return [
        labelled(
            f"p-{number}-{side}",
            answer=FAITHFUL if side else UNFAITHFUL,
            human={},
            group=f"question-{number}",
            pair={"id": f"pair-{number}", "preferred": bool(side), "judge": judge},
        )
        for number in range(count)
        for side in (0, 1)
    ]
