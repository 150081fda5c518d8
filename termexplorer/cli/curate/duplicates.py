"""The command `suggest duplicates`."""

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from termexplorer.cli.curate.finder import FinderAnswer, FinderOptions, FinderWords, run_finder
from termexplorer.cli.curate.trial import share_object, share_with_interval
from termexplorer.cli.json_words import name_fields
from termexplorer.cli.options import options_from_dataclass
from termexplorer.cli.output import print_line, print_table
from termexplorer.services.curate.duplicates import HEADER, DuplicatePairs, pair_cells


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicatesOptions(FinderOptions):
    """What it is asked."""

    encoder: Annotated[
        list[int],
        typer.Option(metavar="ID", help="What finds them alike; repeatable."),
    ]
    share: Annotated[float, typer.Option(help="Of concepts split in a corrupted copy.")] = 0.02


@options_from_dataclass
def duplicates_command(asked: DuplicatesOptions) -> None:
    """Pairs of concepts that may be one and the same, by the most similar of their names.

    How likely they are one, and how well such pairs are found, is learned from copies of the
    ontology in which some concepts with several names were split in two.
    """
    run_finder(asked, _WORDS)


def _print_recall(finder_answer: FinderAnswer) -> None:
    """Print how many of the concepts that were split are found, by each encoder."""
    answer = finder_answer.found.answer
    print_line(
        f"{answer.concepts:,} concepts; in each of {answer.copies} copies {answer.split:,} of them "
        "were split in two, others each time. So many halves are among the k nearest of the other:"
    )
    figures = answer.recall_figures
    rows = [
        (title, *map(share_with_interval, figures[encoder_id].values()), answer.halves)
        for encoder_id, title in finder_answer.titles.items()
    ]
    first = next(iter(figures.values()))
    print_table(("encoder", *(f"k = {k}" for k in first), "n"), rows)


def _list_rows(finder_answer: FinderAnswer) -> list[tuple[Any, ...]]:
    return [
        tuple(pair_cells(finder_answer.found, pair))
        for pair in finder_answer.found.answer.pairs[: finder_answer.limit]
    ]


def _suggestion_objects(duplicates: DuplicatePairs) -> list[dict[str, object]]:
    return [
        name_fields(pair, first="concept", second="other_concept")
        | {"name": duplicates.labels[pair.first], "other_name": duplicates.labels[pair.second]}
        for pair in duplicates.answer.pairs
    ]


def _count_objects(duplicates: DuplicatePairs) -> dict[str, object]:
    answer = duplicates.answer
    return {
        "concepts": answer.concepts,
        "split_concepts": answer.split,
        "copies": answer.copies,
        "recall": answer.recall,
        "recall_figures": {
            encoder_id: {k: share_object(figure) for k, figure in figures.items()}
            for encoder_id, figures in answer.recall_figures.items()
        },
    }


_WORDS = FinderWords(
    kind="duplicates",
    print_start=_print_recall,
    columns=HEADER,
    list_rows=_list_rows,
    suggestion_objects=_suggestion_objects,
    count_objects=_count_objects,
)
