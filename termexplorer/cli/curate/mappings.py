"""The command `suggest mappings`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.curate.decisions import MappingOutput, decide_and_print
from termexplorer.cli.curate.lists import kept_object, print_extent, print_kept, reference_cell
from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    JsonOption,
    LimitOption,
    RootOption,
    SuggestionsOption,
    WorkspaceOption,
)
from termexplorer.cli.output import count_text, print_json, print_line, print_table, progress_bar
from termexplorer.errors import UserError
from termexplorer.services.curate.decisions import DecisionOptions
from termexplorer.services.curate.mapping_rows import mapping_file
from termexplorer.services.curate.mappings import (
    MappingFigure,
    Mappings,
    SuggestedMapping,
    suggest_mappings,
)
from termexplorer.services.curate.suggesting import keep_mappings
from termexplorer.services.curate.suggestion_files import write_suggestions
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.texts import figure_text
from termexplorer.workers.process.supervision import JobControl

_COLUMNS = (
    *("concept", "name", "other concept", "other name"),
    *("similarity", "agree", "cross-references"),
)


def mappings_command(
    ontology: Annotated[str, typer.Option(metavar="ID", help="Whose concepts are mapped.")],
    to: Annotated[str, typer.Option(metavar="ID", help="The ontology that they are mapped to.")],
    encoder: Annotated[
        list[int] | None,
        typer.Option(
            metavar="ID",
            help="The first suggests, others agree or not; repeatable. Without any: --decide.",
        ),
    ] = None,
    decide: Annotated[
        bool,
        typer.Option(
            "--decide",
            help="Decide: exact, broad, narrow, related or none; by encoders of your own too.",
        ),
    ] = False,
    one_to_one: Annotated[
        bool,
        typer.Option("--one-to-one", help="Decide so that no concept is in two exact matches."),
    ] = False,
    withhold_references: Annotated[
        bool,
        typer.Option("--withhold-references", help="Decide as if there were no cross-references."),
    ] = False,
    with_none: Annotated[
        bool,
        typer.Option("--with-none", help="Write concepts decided to have no match, too."),
    ] = False,
    root: RootOption = "",
    least: Annotated[
        float, typer.Option(help="Leave out what is less similar or probable.")
    ] = -1.0,
    new: Annotated[
        bool, typer.Option("--new", help="Leave out concepts that a cross-reference maps already.")
    ] = False,
    out: SuggestionsOption = None,
    limit: LimitOption = 20,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """The match of each concept in another ontology: exact, broad, narrow, related or none.

    It is decided, with a probability, by what names and links of both ontologies teach; the
    encoders that come with the program find candidates.

    With --encoder and without --decide it is the best concept for each, by the most similar of
    their names. Cross-references are not used for that. They tell afterwards how often each encoder
    finds what they say: in first place (hits@1), and among the first ten (hits@10).
    """
    options = DecisionOptions(tuple(encoder or ()), root, one_to_one, withhold_references)
    output = MappingOutput(least, new, with_none, out, limit, json)
    if decide or not encoder:
        decide_and_print(workspace, ontology, to, options, output)
        return
    if one_to_one or withhold_references or with_none:
        raise UserError(
            "--one-to-one, --withhold-references and --with-none are for decisions; add --decide"
        )
    _rank_and_print(workspace, ontology, to, options, output)


def _rank_and_print(
    workspace: Path | None,
    ontology: str,
    to: str,
    options: DecisionOptions,
    output: MappingOutput,
) -> None:
    """Print the best concept for each by the first encoder, keep it for review and write it."""
    encoder_ids = options.encoder_ids
    with opened(workspace) as opened_workspace, progress_bar() as show:
        source, target = (find_ontology(opened_workspace, side) for side in (ontology, to))
        mappings = suggest_mappings(
            opened_workspace, source, target, encoder_ids, options.root, JobControl(), show
        )
        chosen = [
            suggestion
            for suggestion in mappings.suggestions
            if suggestion.similarity >= output.least and not (output.new and suggestion.references)
        ]
        kept_search = keep_mappings(opened_workspace, mappings, options.root)
        if output.out is not None:
            write_suggestions(opened_workspace, output.out, mapping_file(mappings, chosen))
        titles = {
            encoder_id: find_encoder(opened_workspace, encoder_id).label
            for encoder_id in encoder_ids
        }
    if output.as_json:
        print_json(_mappings_object(mappings, chosen) | kept_object(kept_search))
        return
    _print_figures(mappings, titles)
    _print_suggestions(mappings, chosen[: output.limit])
    if mappings.without_evidence:
        print_line(
            f"left out: {count_text(mappings.without_evidence, 'concept', 'concepts')}; "
            f"{titles[encoder_ids[0]]} finds nothing like it"
        )
    _print_counts(mappings, chosen, output.limit)
    print_kept(kept_search, kept_search.count)
    if output.out is not None:
        count = count_text(len(chosen), "suggestion is", "suggestions are")
        print_line(f"{count} in {output.out}")


def _print_counts(mappings: Mappings, chosen: Sequence[SuggestedMapping], limit: int) -> None:
    """Print how many suggestions are shown of those wanted, and how many were not wanted."""
    shown, all_found = min(limit, len(chosen)), len(mappings.suggestions)
    print_extent(shown, len(chosen))
    if len(chosen) < all_found:
        print_line(
            f"--least and --new leave out {all_found - len(chosen):,} of the {all_found:,} "
            "in the list."
        )


def _print_figures(mappings: Mappings, titles: dict[int, str]) -> None:
    if not mappings.figures:
        print_line("No cross-reference says how good these are: none leads from one to the other.")
        return
    print_line(
        f"{mappings.source.label} to {mappings.to.label}, by cross-references that were held out:"
    )
    metrics = list(dict.fromkeys(figure.metric for figure in mappings.figures))
    rows = []
    for encoder_id, title in titles.items():
        figure_by_metric = {f.metric: f for f in mappings.figures if f.encoder_id == encoder_id}
        cells = (_figure_cell(figure_by_metric[m]) for m in metrics)
        rows.append((title, *cells, figure_by_metric[metrics[0]].n))
    print_table(("encoder", *metrics, "n"), rows)


def _figure_cell(figure: MappingFigure) -> str:
    value, low, high = (
        figure_text(part, ".3f") for part in (figure.value, figure.low, figure.high)
    )
    return f"{value} ({low} to {high})"


def _print_suggestions(mappings: Mappings, shown: Sequence[SuggestedMapping]) -> None:
    rows = [
        (
            suggestion.subject,
            mappings.labels[suggestion.subject],
            suggestion.object,
            mappings.labels[suggestion.object],
            suggestion.similarity,
            suggestion.agree,
            reference_cell(suggestion),
        )
        for suggestion in shown
    ]
    if rows:
        print_table(_COLUMNS, rows)


def _mappings_object(mappings: Mappings, chosen: Sequence[SuggestedMapping]) -> dict[str, object]:
    labelled = [
        _mapping_fields(suggestion)
        | {
            "name": mappings.labels[suggestion.subject],
            "other_name": mappings.labels[suggestion.object],
        }
        for suggestion in chosen
    ]
    return {
        "suggestions": labelled,
        "figures": [
            name_fields(figure) | {"metric": figure.metric.lower()} for figure in mappings.figures
        ],
        "without_evidence": mappings.without_evidence,
    }


def _mapping_fields(suggestion: SuggestedMapping) -> dict[str, object]:
    fields = name_fields(suggestion, subject="concept", object="other_concept")
    return {key: None if value != value else value for key, value in fields.items()}  # no NaN
