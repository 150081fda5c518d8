"""The command `suggest names`."""

from dataclasses import asdict, dataclass
from functools import partial

from termexplorer.cli.curate.finder import FinderOptions, find_and_keep, tell
from termexplorer.cli.curate.trial import check_object, print_check, print_trial, trial_object
from termexplorer.cli.opening import opened
from termexplorer.cli.options import NewerOption, options_from_dataclass
from termexplorer.cli.output import print_line, print_table, progress_bar
from termexplorer.services.curate.misplaced_names import (
    DoubtfulNames,
    check_names_by_newer,
)
from termexplorer.services.curate.misplaced_names_rows import name_cells
from termexplorer.services.curate.newer_check import NewerCheck
from termexplorer.services.explore.ontologies import find_ontology


@dataclass(frozen=True, slots=True, kw_only=True)
class NamesOptions(FinderOptions):
    """What it is asked."""

    newer: NewerOption = ""


@options_from_dataclass
def names_command(asked: NamesOptions) -> None:
    """Names that are nearer to another concept's names than to the others of their own.

    All names are looked at but the labels, which tell the concept, and the only names of concepts.
    How likely each is misplaced, and how well misplaced ones are found, is learned from copies of
    the ontology in which some names were given to other concepts at random.

    A newer release took a name away if its concept has it no longer, and gave it to the suggested
    one if that has it there, and did not before or has it alone now. Names of concepts that it
    retired are passed over.
    """
    with opened(asked.workspace) as workspace, progress_bar() as show:
        newer = find_ontology(workspace, asked.newer) if asked.newer else None
        doubtful, kept_search = find_and_keep(workspace, "names", asked, show)
        check = check_names_by_newer(workspace, doubtful, newer) if newer else None
    tell(
        asked, doubtful, kept_search,
        partial(_names_object, doubtful, check),
        partial(_print_names, doubtful, check, asked.limit),
    )  # fmt: skip


def _print_names(doubtful: DoubtfulNames, check: NewerCheck | None, limit: int) -> None:
    answer = doubtful.answer
    print_line(
        f"{len(answer.all_names):,} names, which {answer.concepts:,} concepts could have; in each "
        f"copy {answer.moved:,} of them were moved."
    )
    print_trial(answer.trial)
    header = ("name", "of", "better", "nearest there", "likelihood", "agree")
    shown = [
        (row[2], f"{row[0]} {row[1]}", f"{row[3]} {row[4]}", row[5], row[6], row[8])
        for row in (name_cells(doubtful, doubt) for doubt in answer.doubts[:limit])
    ]
    if shown:
        print_table(header, shown)
    print_check(check, "names", "taken away or given", "given to the suggested one")


def _names_object(doubtful: DoubtfulNames, check: NewerCheck | None) -> dict[str, object]:
    suggestions = [
        asdict(doubt)
        | {"label": doubtful.labels[doubt.concept], "better_label": doubtful.labels[doubt.better]}
        for doubt in doubtful.answer.doubts
    ]
    answer = doubtful.answer
    content: dict[str, object] = {
        "suggestions": suggestions,
        "names": len(answer.all_names),
        "concepts": answer.concepts,
        "moved": answer.moved,
    }
    return content | trial_object(answer.trial) | check_object(check)
