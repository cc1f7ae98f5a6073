"""The figures for people, on stderr beside the JSON on stdout."""

from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table as RichTable
from rich.text import Text

from eval_worker.console.counted import counted
from eval_worker.console.terminal import printable
from eval_worker.quality.rows import ABOVE, BELOW, TEXT_COLUMNS, tables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

WIDEST = 200  # a pipe has no width of its own
ROOM_FOR_ALL = 160


def print_figures(console: "Console", document: "Mapping[str, Any]") -> None:
    if not console.is_terminal:
        console.width = WIDEST
    for table in tables(document, every_baseline=console.width >= ROOM_FOR_ALL):
        if not table.rows:
            continue
        shown = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
        for column in table.columns:
            shown.add_column(column, justify="left" if column in TEXT_COLUMNS else "right", overflow="fold")
        for row in table.rows:
            shown.add_row(*(Text(printable(cell)) for cell in row))
        console.print(shown)
    for line in _notes(document):
        console.print(Text(printable(line)), soft_wrap=True)


def _notes(document: "Mapping[str, Any]") -> list[str]:
    notes = [f"{ABOVE} the judge is above the baseline, {BELOW} below it; no mark: they can't be told apart"]
    for data_set in document["data_sets"]:
        left_out = {name.replace("_", " "): count for name, count in data_set["left_out"].items() if count}
        if left_out:
            what = ", ".join(f"{count:,} {name}" for name, count in left_out.items())
            notes.append(f"{data_set['name']}: left out: {what}")
    notes += [f"nobody labelled answers for the judge {name!r}: it is not measured" for name in _unlabelled(document)]
    unknown = document["unknown_judges"].items()
    notes += [f"{counted(count, 'label')} of {name!r}, which is no judge that was asked" for name, count in unknown]
    judged_by = ", ".join(f"{each['model']} (judges {each['judges_digest'][:19]})" for each in document["judged_by"])
    return [*notes, f"judged by {judged_by}; {document['resamples']:,} resamples from seed {document['seed']}"]


def _unlabelled(document: "Mapping[str, Any]") -> list[str]:
    return document["unlabelled_judges"]
