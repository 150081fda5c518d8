"""The command `diff`: what changed from one release to another."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import TABLES, JsonOption, WorkspaceOption, out_file
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
            help="All changes, as .csv, .tsv, .xlsx or .jsonl.",
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
    lists = {kind: [asdict(change) for change in diff.of_kind(kind)] for kind in KINDS}
    stale = {
        "stale_runs": [asdict(run) for run in diff.stale],
        "stale_verdicts": [asdict(verdict) for verdict in diff.stale_verdicts],
    }
    return {"old": diff.old.id, "new": diff.new.id, **numbers, "lists": lists, **stale}
