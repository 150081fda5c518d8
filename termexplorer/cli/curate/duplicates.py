"""The command `suggest duplicates`."""

from dataclasses import asdict, dataclass
from functools import partial
from typing import Annotated

import typer

from termexplorer.cli.curate.finder import FinderOptions, find_and_keep, tell
from termexplorer.cli.curate.trial import (
    print_trial,
    share_object,
    share_with_interval,
    trial_object,
)
from termexplorer.cli.opening import opened
from termexplorer.cli.options import options_from_dataclass
from termexplorer.cli.output import print_line, print_table, progress_bar
from termexplorer.services.curate.duplicates import (
    DuplicatePairs,
)
from termexplorer.services.curate.duplicates_rows import HEADER, pair_cells
from termexplorer.services.encoders.encoders import find_encoder


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
    with opened(asked.workspace) as workspace, progress_bar() as show:
        duplicates, kept_search = find_and_keep(workspace, "duplicates", asked, show)
        titles = {
            encoder_id: find_encoder(workspace, encoder_id).label for encoder_id in asked.encoder
        }
    tell(
        asked, duplicates, kept_search,
        partial(_duplicates_object, duplicates),
        partial(_print_duplicates, duplicates, titles, asked.limit),
    )  # fmt: skip


def _print_duplicates(duplicates: DuplicatePairs, titles: dict[int, str], limit: int) -> None:
    answer = duplicates.answer
    print_line(
        f"{answer.concepts:,} concepts; in each of {answer.copies} copies {answer.split:,} of them "
        "were split in two, others each time. So many halves are among the k nearest of the other:"
    )
    figures = answer.recall_figures
    rows = [
        (title, *map(share_with_interval, figures[encoder_id].values()), answer.halves)
        for encoder_id, title in titles.items()
    ]
    first = next(iter(figures.values()))
    print_table(("encoder", *(f"k = {k}" for k in first), "n"), rows)
    print_trial(answer.trial)
    shown = [tuple(pair_cells(duplicates, pair)) for pair in answer.pairs[:limit]]
    if shown:
        print_table(HEADER, shown)


def _duplicates_object(duplicates: DuplicatePairs) -> dict[str, object]:
    suggestions = [
        asdict(pair)
        | {"name": duplicates.labels[pair.first], "other_name": duplicates.labels[pair.second]}
        for pair in duplicates.answer.pairs
    ]
    answer = duplicates.answer
    content: dict[str, object] = {
        "suggestions": suggestions,
        "concepts": answer.concepts,
        "split": answer.split,
        "copies": answer.copies,
        "recall": answer.recall,
        "recall_figures": {
            encoder_id: {k: share_object(figure) for k, figure in figures.items()}
            for encoder_id, figures in answer.recall_figures.items()
        },
    }
    return content | trial_object(answer.trial)
