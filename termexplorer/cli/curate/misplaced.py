"""The command `suggest misplaced`."""

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from termexplorer.cli.curate.finder import FinderAnswer, FinderOptions, FinderWords, run_finder
from termexplorer.cli.json_words import name_fields
from termexplorer.cli.level_option import LevelOption
from termexplorer.cli.options import NewerOption, options_from_dataclass
from termexplorer.cli.output import count_text, print_line
from termexplorer.services.curate.misplacement import Misplaced, check_by_newer
from termexplorer.services.curate.misplacement_rows import HEADER, doubt_cells, name_class


@dataclass(frozen=True, slots=True, kw_only=True)
class MisplacedOptions(FinderOptions):
    """What it is asked."""

    level: LevelOption = None
    newer: NewerOption = ""
    share: Annotated[float, typer.Option(help="Of concepts moved in a corrupted copy.")] = 0.02


@options_from_dataclass
def misplaced_command(asked: MisplacedOptions) -> None:
    """Concepts that encoders would put below another class on a level than the asserted one.

    What is suggested is the likeliest direct parent within that class, however deep it lies.
    How likely each is misplaced, and how well misplaced ones are found, is learned from copies of
    the ontology in which some concepts were moved to a class like their own.
    """
    run_finder(asked, _WORDS, level=asked.level, newer=asked.newer)


def _print_start(finder_answer: FinderAnswer) -> None:
    answer = finder_answer.found.answer
    print_line(
        f"{count_text(len(answer.all_concepts), 'concept', 'concepts')} below "
        f"{count_text(len(answer.all_classes), 'class', 'classes')}; "
        f"in each copy {answer.moved:,} of them were moved."
    )


def _list_rows(finder_answer: FinderAnswer) -> list[tuple[Any, ...]]:
    return [
        tuple(doubt_cells(finder_answer.found, doubt))
        for doubt in finder_answer.found.answer.doubts[: finder_answer.limit]
    ]


def _suggestion_objects(misplaced: Misplaced) -> list[dict[str, object]]:
    return [
        name_fields(doubt, better="other_concept", better_class="")
        | {
            "class": name_class(misplaced, doubt.better_class),
            "name": misplaced.labels[doubt.concept],
            "other_name": misplaced.labels[doubt.better],
        }
        for doubt in misplaced.answer.doubts
    ]


def _count_objects(misplaced: Misplaced) -> dict[str, object]:
    answer = misplaced.answer
    return {
        "concepts": len(answer.all_concepts),
        "classes": len(answer.all_classes),
        "moved": answer.moved,
    }


_WORDS = FinderWords(
    kind="misplaced",
    print_start=_print_start,
    columns=HEADER,
    list_rows=_list_rows,
    suggestion_objects=_suggestion_objects,
    count_objects=_count_objects,
    check=check_by_newer,
    check_titles=("concepts", "below other classes", "below the suggested one"),
)
