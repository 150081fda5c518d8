"""The command `suggest deeper`."""

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from termexplorer.cli.curate.finder import FinderAnswer, FinderOptions, FinderWords, run_finder
from termexplorer.cli.json_words import name_fields
from termexplorer.cli.options import NewerOption, options_from_dataclass
from termexplorer.cli.output import count_text, print_line
from termexplorer.services.curate.deeper.parents import (
    DEEPER_HEADER,
    DeeperParents,
    check_deeper_by_newer,
    deeper_cells,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeeperOptions(FinderOptions):
    """What it is asked."""

    newer: NewerOption = ""
    share: Annotated[float, typer.Option(help="Of concepts lifted in a corrupted copy.")] = 0.02


@options_from_dataclass
def deeper_command(asked: DeeperOptions) -> None:
    """Concepts that stand a parent too high: a concept further down would be the better parent.

    What is suggested is a concept below the parent that they have. How likely each stands too
    high, and how well such ones are found, is learned from copies of the ontology in which some
    concepts were lifted to a parent of their parent.

    A newer release moved a concept if it is no longer directly below its parent, but still
    somewhere below it.
    """
    run_finder(asked, _WORDS, newer=asked.newer)


def _print_start(finder_answer: FinderAnswer) -> None:
    answer = finder_answer.found.answer
    print_line(
        f"{count_text(len(answer.all_concepts), 'concept', 'concepts')} with a deeper candidate; "
        f"in each copy {answer.lifted:,} were lifted."
    )


def _list_rows(finder_answer: FinderAnswer) -> list[tuple[Any, ...]]:
    return [
        tuple(deeper_cells(finder_answer.found, doubt))
        for doubt in finder_answer.found.answer.doubts[: finder_answer.limit]
    ]


def _suggestion_objects(deeper: DeeperParents) -> list[dict[str, object]]:
    return [
        name_fields(doubt, better="other_concept", nearest="")
        | {
            "name": deeper.labels[doubt.concept],
            "other_name": deeper.labels[doubt.better],
            "nearest_name": deeper.labels.get(doubt.nearest, ""),
        }
        for doubt in deeper.answer.doubts
    ]


def _count_objects(deeper: DeeperParents) -> dict[str, object]:
    answer = deeper.answer
    return {"concepts": len(answer.all_concepts), "lifted": answer.lifted}


_WORDS = FinderWords(
    kind="deeper",
    print_start=_print_start,
    columns=DEEPER_HEADER,
    list_rows=_list_rows,
    suggestion_objects=_suggestion_objects,
    count_objects=_count_objects,
    check=check_deeper_by_newer,
    check_titles=("concepts", "moved below something there", "below the suggested one"),
)
