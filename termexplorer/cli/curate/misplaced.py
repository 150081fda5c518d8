"""The command `suggest misplaced`."""

from dataclasses import asdict, dataclass
from functools import partial
from typing import Annotated

import typer

from termexplorer.cli.curate.finder import FinderOptions, find_and_keep, tell
from termexplorer.cli.curate.trial import check_object, print_check, print_trial, trial_object
from termexplorer.cli.level_option import LevelOption
from termexplorer.cli.opening import opened
from termexplorer.cli.options import NewerOption, options_from_dataclass
from termexplorer.cli.output import count_text, print_line, print_table, progress_bar
from termexplorer.services.curate.misplacement import (
    Misplaced,
    check_by_newer,
)
from termexplorer.services.curate.misplacement_rows import doubt_cells
from termexplorer.services.curate.newer_check import NewerCheck
from termexplorer.services.explore.ontologies import find_ontology


@dataclass(frozen=True, slots=True, kw_only=True)
class MisplacedOptions(FinderOptions):
    """What it is asked."""

    level: LevelOption = None
    newer: NewerOption = ""
    share: Annotated[float, typer.Option(help="Of concepts moved in a corrupted copy.")] = 0.02


@options_from_dataclass
def misplaced_command(asked: MisplacedOptions) -> None:
    """Concepts that encoders would put below another class on a level than the asserted one.

    How likely each is misplaced, and how well misplaced ones are found, is learned from copies of
    the ontology in which some concepts were moved at random.
    """
    with opened(asked.workspace) as workspace, progress_bar() as show:
        newer = find_ontology(workspace, asked.newer) if asked.newer else None
        misplaced, kept_search = find_and_keep(workspace, "misplaced", asked, show, asked.level)
        check = check_by_newer(workspace, misplaced, newer) if newer else None
    tell(
        asked, misplaced, kept_search,
        partial(_misplaced_object, misplaced, check),
        partial(_print_misplaced, misplaced, check, asked.limit),
    )  # fmt: skip


def _print_misplaced(misplaced: Misplaced, check: NewerCheck | None, limit: int) -> None:
    answer = misplaced.answer
    print_line(
        f"{count_text(len(answer.all_concepts), 'concept', 'concepts')} below "
        f"{count_text(len(answer.all_classes), 'class', 'classes')}; "
        f"in each copy {answer.moved:,} of them were moved."
    )
    print_trial(answer.trial)
    header = ("concept", "below", "better", "likelihood", "agree")
    shown = [
        (f"{row[0]} {row[1]}", row[2], f"{row[3]} {row[4]}", row[5], row[7])
        for row in (doubt_cells(misplaced, doubt) for doubt in answer.doubts[:limit])
    ]
    if shown:
        print_table(header, shown)
    print_check(check, "concepts", "below other classes", "below the suggested one")


def _misplaced_object(misplaced: Misplaced, check: NewerCheck | None) -> dict[str, object]:
    answer = misplaced.answer
    suggestions = [
        asdict(doubt)
        | {"name": misplaced.labels[doubt.concept], "better_name": misplaced.labels[doubt.better]}
        for doubt in answer.doubts
    ]
    content: dict[str, object] = {
        "suggestions": suggestions,
        "concepts": len(answer.all_concepts),
        "classes": len(answer.all_classes),
        "moved": answer.moved,
    }
    return content | trial_object(answer.trial) | check_object(check)
