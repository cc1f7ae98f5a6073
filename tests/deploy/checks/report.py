"""What a check has looked at and found."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Report:
    """`examined` names the files; `problems` is what a person has to mend, each in the tool's own words."""

    examined: tuple[str, ...]
    problems: tuple[str, ...] = ()
