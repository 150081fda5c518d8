"""The command `map FILE`, in full `map table FILE`: a list of local codes mapped to ontologies."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from termexplorer.cli.curate.lists import kept_object, print_kept
from termexplorer.cli.curate.trial import share_object
from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, LimitOption, SuggestionsOption, WorkspaceOption
from termexplorer.cli.output import count_text, print_json, print_line, print_table, progress_bar
from termexplorer.errors import UserError
from termexplorer.services.curate.code_list_files import keep_decided_list, write_decided_lists
from termexplorer.services.curate.code_lists import (
    LIST_FIELDS,
    DecidedList,
    MappedCode,
    decide_list,
    read_list_file,
)
from termexplorer.services.curate.decisions import NONE, DecisionOptions
from termexplorer.services.curate.known_codes import KnownCodes
from termexplorer.services.curate.suggestion_lists import KeptSearch
from termexplorer.services.explore.ontologies import Ontology, find_ontology
from termexplorer.services.files.exports import number_titles
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

_COLUMNS = ("code", "name", "frequency", "predicate", "concept", "concept name", "probability")


def table_command(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Local codes: CSV, TSV, XLSX, ODS, or Usagi's.")
    ],
    to: Annotated[
        list[str],
        typer.Option(
            metavar="ID", help="An ontology that they are mapped to, by id or title; repeatable."
        ),
    ],
    columns: Annotated[
        str,
        typer.Option(
            help="As in code=1,name=3,frequency=4,known=5, or titles; 0 for none; else guessed."
        ),
    ] = "",
    delimiter: Annotated[str, typer.Option(help="Between cells, such as ; or tab.")] = "",
    sheet: Annotated[str, typer.Option(help="Of a workbook, by its name or number.")] = "",
    encoder: Annotated[
        list[int] | None,
        typer.Option(metavar="ID", help="What finds candidates; repeatable. Else the usual ones."),
    ] = None,
    one_to_one: Annotated[
        bool,
        typer.Option("--one-to-one", help="Decide so that no concept is in two exact matches."),
    ] = False,
    out: SuggestionsOption = None,
    limit: LimitOption = 20,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Map a list of local codes to ontologies: exact, broad, narrow, related or none.

    The most frequent codes come first, and each has a probability. All columns of the list come
    back in the file, codes without a match too. The same is kept for review. Where a column `known`
    has concepts that some rows were mapped to by hand, it is measured how well these come out.
    """
    asked = _parse_columns(columns)
    with opened(workspace) as opened_workspace, progress_bar() as show:
        targets = _find_targets(opened_workspace, to)
        codes = read_list_file(file, asked, delimiter, sheet)
        options = DecisionOptions(tuple(encoder or ()), one_to_one=one_to_one)
        decided = [
            decide_list(opened_workspace, codes, target, options, JobControl(), show)
            for target in targets
        ]
        kept_searches = [keep_decided_list(opened_workspace, target) for target in decided]
        if out is not None:
            write_decided_lists(opened_workspace, out, decided)
    if json:
        print_json({"targets": list(map(_make_object, decided, kept_searches))})
        return
    for target, kept_search in zip(decided, kept_searches, strict=True):
        _print_target(target, kept_search, limit)
    if out is not None:
        print_line(f"{count_text(len(codes.rows), 'code is', 'codes are')} in {out}")


def _find_targets(workspace: Workspace, texts: Sequence[str]) -> list[Ontology]:
    targets = [find_ontology(workspace, text) for text in texts]
    return list({target.id: target for target in targets}.values())


def _parse_columns(text: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    if any(not sign or not column.strip() for _, sign, column in pairs):
        raise UserError(
            f"--columns {text}: give columns as code=1,name=3; the fields are "
            f"{', '.join(LIST_FIELDS)}"
        )
    return {field.strip(): column.strip() for field, _, column in pairs}


def _print_target(decided: DecidedList, kept_search: KeptSearch, limit: int) -> None:
    counts = decided.count_predicates()
    summary = ", ".join(f"{predicate} {count:,}" for predicate, count in counts.items())
    print_line(f"{decided.codes.path.name} to {decided.to.label}: {summary}")
    for fact in decided.facts:
        print_line(f"{fact}.")
    rows = [_make_row(decided, mapped) for mapped in decided.mapped[:limit]]
    if rows:
        print_table(_COLUMNS, rows)
    print_kept(kept_search, min(limit, kept_search.count))


def _make_row(decided: DecidedList, mapped: MappedCode) -> tuple[Any, ...]:
    decision = mapped.decision
    start = (mapped.row.code, mapped.row.name, _show_frequency(mapped))
    if decision is None:
        return (*start, "", "", "", "")
    curie = "" if decision.predicate == NONE else decision.object
    label = decided.labels.get(curie, "")
    return (*start, decision.predicate, curie, label, decision.probability)


def _show_frequency(mapped: MappedCode) -> str:
    frequency = mapped.row.frequency
    return "" if frequency is None else f"{frequency:,.15g}"


def _make_object(decided: DecidedList, kept_search: KeptSearch) -> dict[str, object]:
    return {
        "ontology": decided.to.id,
        "suggestions": [_make_code_object(decided, mapped) for mapped in decided.mapped],
        "predicates": decided.count_predicates(),
        "unmapped": decided.unmapped,
        "facts": [str(fact) for fact in decided.facts],
        "known": _make_known_object(decided.known),
    } | kept_object(kept_search)


def _make_known_object(known: KnownCodes | None) -> dict[str, object] | None:
    if known is None:
        return None
    shares = {"mapped": known.mapped, "right": known.right, "first": known.first}
    return {
        key: share_object(share) for key, share in (shares | {"found": known.found}).items()
    } | {
        "probability": known.probability if known.right.n else None,
        "missing": list(known.missing),
    }


def _make_code_object(decided: DecidedList, mapped: MappedCode) -> dict[str, object]:
    row, decision = mapped.row, mapped.decision
    content: dict[str, object] = {
        "code": row.code,
        "name": row.name,
        "frequency": row.frequency,
        "known": row.known or None,
        "cells": dict(zip(number_titles(decided.codes.header), row.cells, strict=True)),
    }
    if decision is None:
        return content | {"predicate": None}
    return content | {
        "predicate": decision.predicate,
        "other_concept": decision.object or None,
        "other_name": decided.labels.get(decision.object),
        "probability": decision.probability,
        "same_name": decision.same_name,
    }
