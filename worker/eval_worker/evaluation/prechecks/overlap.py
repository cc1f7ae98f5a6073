"""Overlap: does the answer speak of what the query speaks of?"""

from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction

NAME = "overlap-checker"
_NAMED = 5
_NOTHING_SHARED = 0.0


def check_overlap(words: WordsOfInteraction, rubbish: str | None) -> tuple[float | None, str]:
    """Scores the share of the query's keywords that the answer has; None for a query that has no keyword."""
    wanted = words.query.keywords
    if not wanted:
        return None, "query has no keywords to look for"
    if rubbish:
        return _NOTHING_SHARED, f"nothing of its own to compare: answer {rubbish}"
    missing = words.answer.missing(wanted)
    shared = len(wanted) - len(missing)
    found = f"answer shares {shared} of the query's {len(wanted)} keywords"
    if missing:
        named = ", ".join(sorted(missing)[:_NAMED])
        found = f"{found}; missing: {named}{', …' if len(missing) > _NAMED else ''}"
    return shared / len(wanted), found
