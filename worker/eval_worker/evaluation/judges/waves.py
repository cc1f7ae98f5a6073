"""The order in which judges are asked: wave after wave, those of one wave side by side."""

from collections.abc import Sequence

from eval_worker.evaluation.judges.definition import JudgeDefinition

Waves = tuple[tuple[str, ...], ...]
"""The judges' names, wave by wave; those that are not named come last, together."""

ALL_AT_ONCE: Waves = ()


def parse_waves(text: str) -> Waves:
    """Read `relevance,completeness;coherence`: semicolons between waves, commas between the judges of one.

    Raises:
        ValueError: naming what is wrong.
    """
    if not text.strip():
        return ALL_AT_ONCE
    waves = tuple(tuple(name.strip() for name in wave.split(",") if name.strip()) for wave in text.split(";"))
    if not all(waves):
        raise ValueError(f"{text!r} has a wave without a judge")
    names = [name for wave in waves for name in wave]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"{twice!r} is there twice")
    return waves


def in_waves(judges: Sequence[JudgeDefinition], waves: Waves) -> list[list[JudgeDefinition]]:
    """Return these judges wave by wave, each wave in the given order; a wave of which none is there is left out."""
    place = {name: number for number, wave in enumerate(waves) for name in wave}
    arranged: list[list[JudgeDefinition]] = [[] for _ in range(len(waves) + 1)]
    for judge in judges:
        arranged[place.get(judge.name, len(waves))].append(judge)
    return [wave for wave in arranged if wave]
