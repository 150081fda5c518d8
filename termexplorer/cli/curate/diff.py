"""The command `diff`: what changed from one release to another."""

from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import TABLES, TABLES_TOLD, JsonOption, WorkspaceOption, out_file
from termexplorer.cli.output import print_json, print_line, print_table
from termexplorer.services.curate.release_diff import (
    DIFF_HEADER,
    KINDS,
    ReleaseDiff,
    compare_releases,
    diff_rows,
)
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.files.exports import write_table


def diff_command(
    old: Annotated[str, typer.Argument(help="Id of the older ontology.")],
    new: Annotated[str, typer.Argument(help="Id of the newer one.")],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=f"All changes, as {TABLES_TOLD}.",
            callback=out_file(*TABLES),
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="The most changes of a kind to show.")] = 10,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Compare two releases: concepts added, retired, moved, renamed; what became stale."""
    with opened(workspace) as opened_workspace:
        diff = compare_releases(
            opened_workspace,
            find_ontology(opened_workspace, old),
            find_ontology(opened_workspace, new),
        )
    if out is not None:
        write_table(out, DIFF_HEADER, diff_rows(diff.changes))
    if json:
        print_json(_diff_object(diff))
        return
    print_line(f"From {diff.old.label} to {diff.new.label}:")
    for kind in KINDS:
        _print_kind(diff, kind, limit)
    for stale in diff.stale:
        print_line(
            f"run {stale.run} ({stale.title}) is stale: {stale.changed:,} of its concepts changed"
        )
    for verdict in diff.stale_verdicts:
        print_line(
            f"{verdict.judge}'s verdict {verdict.answer!r} on {verdict.subject} {verdict.question} "
            f"{verdict.object} is stale: {', '.join(verdict.changes)}"
        )
    if out is not None:
        print_line(f"all changes are in {out}")


def _print_kind(diff: ReleaseDiff, kind: str, limit: int) -> None:
    changes = diff.of_kind(kind)
    shown = min(limit, len(changes))
    print_line(
        f"{len(changes):,} {kind}" + (f", the first {shown}" if shown < len(changes) else "")
    )
    rows = [(c.concept, c.name, "; ".join(c.before), "; ".join(c.after)) for c in changes[:limit]]
    if rows:
        print_table(("concept", "name", "before", "after"), rows)


def _diff_object(diff: ReleaseDiff) -> dict[str, object]:
    numbers = {kind: len(diff.of_kind(kind)) for kind in KINDS}
    return {
        "ontology": diff.old.id,
        "newer": diff.new.id,
        **numbers,
        "changes": [name_fields(change, kind="change") for change in diff.changes],
        "stale_runs": [name_fields(run) for run in diff.stale],
        "stale_verdicts": [name_fields(verdict) for verdict in diff.stale_verdicts],
    }
