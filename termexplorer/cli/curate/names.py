"""The command `suggest names`."""

from dataclasses import dataclass
from typing import Any

from termexplorer.cli.curate.finder import FinderAnswer, FinderOptions, FinderWords, run_finder
from termexplorer.cli.json_words import name_fields
from termexplorer.cli.options import NewerOption, options_from_dataclass
from termexplorer.cli.output import print_line
from termexplorer.services.curate.misplaced_names import DoubtfulNames, check_names_by_newer
from termexplorer.services.curate.misplaced_names_rows import HEADER, name_cells


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
    run_finder(asked, _WORDS, newer=asked.newer)


def _print_start(finder_answer: FinderAnswer) -> None:
    answer = finder_answer.found.answer
    print_line(
        f"{len(answer.all_names):,} names, which {answer.concepts:,} concepts could have; in each "
        f"copy {answer.moved:,} of them were moved."
    )


def _list_rows(finder_answer: FinderAnswer) -> list[tuple[Any, ...]]:
    return [
        tuple(name_cells(finder_answer.found, doubt))
        for doubt in finder_answer.found.answer.doubts[: finder_answer.limit]
    ]


def _suggestion_objects(doubtful: DoubtfulNames) -> list[dict[str, object]]:
    return [
        name_fields(doubt, better="other_concept", nearest="nearest_name")
        | {
            "concept_name": doubtful.labels[doubt.concept],
            "other_name": doubtful.labels[doubt.better],
        }
        for doubt in doubtful.answer.doubts
    ]


def _count_objects(doubtful: DoubtfulNames) -> dict[str, object]:
    answer = doubtful.answer
    return {"names": len(answer.all_names), "concepts": answer.concepts, "moved": answer.moved}


_WORDS = FinderWords(
    kind="names",
    print_start=_print_start,
    columns=HEADER,
    list_rows=_list_rows,
    suggestion_objects=_suggestion_objects,
    count_objects=_count_objects,
    check=check_names_by_newer,
    check_titles=("names", "taken away or given", "given to the suggested one"),
)
