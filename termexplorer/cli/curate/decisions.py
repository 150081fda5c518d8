"""What `suggest mappings` prints and writes where it decides."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from termexplorer.cli.curate.lists import kept_object, print_kept, reference_cell
from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.output import count_text, print_json, print_line, print_table, progress_bar
from termexplorer.services.curate.decisions import (
    NONE,
    DecidedMapping,
    DecidedMappings,
    DecisionOptions,
    decide_mappings,
    decision_file,
    keep_decisions,
)
from termexplorer.services.curate.suggestion_files import write_suggestions
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.workers.process.supervision import JobControl

_COLUMNS = (
    *("concept", "name", "predicate", "other concept", "other name"),
    *("probability", "cross-references"),
)


@dataclass(frozen=True, slots=True)
class MappingOutput:
    """What of the mappings is printed and written, and where.

    Attributes:
        least: leave out what is less similar or probable.
        new: leave out concepts that a cross-reference maps already.
        with_none: write and print the concepts that were decided to have no match, too.
        out: the file that is written, if any.
        limit: how many rows are printed.
        as_json: print JSON in their place.
    """

    least: float
    new: bool
    with_none: bool
    out: Path | None
    limit: int
    as_json: bool


def decide_and_print(
    workspace: Path | None,
    ontology: str,
    to: str,
    options: DecisionOptions,
    output: MappingOutput,
) -> None:
    """Decide mappings, keep them for review, print them and write them to a file."""
    with opened(workspace) as opened_workspace, progress_bar() as show:
        source, target = (find_ontology(opened_workspace, side) for side in (ontology, to))
        decided = decide_mappings(opened_workspace, source, target, options, JobControl(), show)
        chosen = [mapping for mapping in decided.mappings if _is_wanted(mapping, output)]
        kept_search = keep_decisions(opened_workspace, decided)
        if output.out is not None:
            write_suggestions(opened_workspace, output.out, decision_file(decided, chosen))
    if output.as_json:
        print_json(_make_object(decided, chosen) | kept_object(kept_search))
        return
    for fact in decided.facts:
        print_line(f"{fact}.")
    counts = decided.count_predicates()
    print_line(", ".join(f"{predicate} {count:,}" for predicate, count in counts.items()))
    _print_rows(decided, chosen[: output.limit])
    print_kept(kept_search, min(output.limit, len(chosen)))
    if output.out is not None:
        print_line(f"{count_text(len(chosen), 'mapping is', 'mappings are')} in {output.out}")


def _is_wanted(mapping: DecidedMapping, output: MappingOutput) -> bool:
    return (
        mapping.probability >= output.least
        and not (output.new and mapping.references)
        and (output.with_none or mapping.predicate != NONE)
    )


def _print_rows(decided: DecidedMappings, shown: Sequence[DecidedMapping]) -> None:
    rows = [
        (
            mapping.subject,
            decided.labels[mapping.subject],
            mapping.predicate,
            mapping.object,
            decided.labels.get(mapping.object, ""),
            mapping.probability,
            reference_cell(mapping),
        )
        for mapping in shown
    ]
    if rows:
        print_table(_COLUMNS, rows)


def _make_object(decided: DecidedMappings, chosen: Sequence[DecidedMapping]) -> dict[str, object]:
    suggestions = [
        name_fields(mapping, subject="concept", object="other_concept")
        | {
            "name": decided.labels[mapping.subject],
            "other_name": decided.labels.get(mapping.object, ""),
        }
        for mapping in chosen
    ]
    return {
        "suggestions": suggestions,
        "predicates": decided.count_predicates(),
        "facts": [str(fact) for fact in decided.facts],
    }
