"""The command `suggestion carry-over`: mappings on a newer release."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.check.lazy_workspace import LazyWorkspace
from termexplorer.cli.curate.lists import kept_object
from termexplorer.cli.options import (
    TABLES,
    TABLES_TOLD,
    JsonOption,
    WorkspaceOption,
    options_from_dataclass,
    out_file,
)
from termexplorer.cli.output import count_text, print_json, print_line, print_table
from termexplorer.services.check.carried_lists import keep_carried
from termexplorer.services.check.carry_over import (
    HEADER,
    CarryOver,
    carry_over,
    list_stale_rows,
    write_carried,
)
from termexplorer.services.curate.suggestion_lists import describe_kept
from termexplorer.services.files.exports import write_table

_SHOWN = 7  # columns


@dataclass(frozen=True, slots=True, kw_only=True)
class CarryOptions:
    """What it is asked."""

    mappings: Annotated[
        Path,
        typer.Argument(
            metavar="FILE|LIST",
            help="Mappings: SSSOM, FHIR ConceptMap, OMOP or Usagi; or the id of a list, of which "
            "what was judged is carried.",
        ),
    ]
    old: Annotated[
        str, typer.Option(metavar="OLD", help="The release that they are on: a file, or its id.")
    ]
    new: Annotated[str, typer.Option(metavar="NEW", help="The newer release: a file, or its id.")]
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="All mappings on the newer release: .sssom.tsv.",
            callback=out_file(".sssom.tsv"),
        ),
    ] = None
    stale: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=f"What needs a person, and why, as {TABLES_TOLD}.",
            callback=out_file(*TABLES),
        ),
    ] = None
    keep: Annotated[
        bool, typer.Option("--list", help="Keep all for review in Curate, what is stale first.")
    ] = False
    limit: Annotated[int, typer.Option(min=0, help="The most stale mappings to show.")] = 20
    workspace: WorkspaceOption = None
    json: JsonOption = False


@options_from_dataclass
def carry_over_command(asked: CarryOptions) -> None:
    """Bring mappings to a newer release of either side: what holds, what is stale, and why.

    Stale is what is retired, replaced, merged, split, renamed or moved, and where a new term has
    the name of what is mapped to. What takes a term's place is what the release says, or else the
    likeliest by names and parents. Denied mappings, comments and all else of a row come along.
    """
    with LazyWorkspace(asked.workspace) as lazy:
        carried = carry_over(str(asked.mappings), asked.old, asked.new, lazy.open)
        kept_search = keep_carried(lazy.open(), carried) if asked.keep else None
    rows = list(list_stale_rows(carried))
    if asked.out is not None:
        write_carried(asked.out, carried)
    if asked.stale is not None:
        write_table(asked.stale, HEADER, rows)
    reasons = Counter(
        reason
        for mapping in carried.stale
        for change in mapping.changes
        for reason in change.reasons
    )
    if asked.json:
        list_object = kept_object(kept_search) if kept_search else {}
        print_json(_carry_object(carried, reasons, rows) | list_object)
        return
    print_line(
        f"{count_text(len(carried.mappings), 'mapping', 'mappings')}: "
        f"{len(carried.mappings) - len(carried.stale):,} hold, {len(carried.stale):,} need a person"
    )
    lines = [f"{reason}: {count:,}" for reason, count in reasons.most_common()]
    for line in filter(None, (*lines, carried.note)):
        print_line(line)
    if rows[: asked.limit]:
        print_table(HEADER[:_SHOWN], [row[:_SHOWN] for row in rows[: asked.limit]])
    for path in (asked.out, asked.stale):
        if path is not None:
            print_line(f"{path}: written")
    if kept_search is not None:
        print_line(describe_kept(kept_search))


def _carry_object(
    carried: CarryOver, reasons: Counter[str], rows: list[list[str | int | float | None]]
) -> dict[str, object]:
    keys = [title.replace(" ", "_") for title in HEADER]
    return {
        "mappings": len(carried.mappings),
        "stale": len(carried.stale),
        "reasons": dict(reasons),
        "changes": [dict(zip(keys, row, strict=True)) for row in rows],
    }
