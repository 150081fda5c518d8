"""The command `search`."""

from collections.abc import Sequence
from typing import Annotated

import typer

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import NO_ONTOLOGY, JsonOption, OntologyOption, WorkspaceOption
from termexplorer.cli.output import ShownCell, number_cell, print_json, print_line, print_table
from termexplorer.services.explore.browsing import Hit, search_names, told_missing, told_near
from termexplorer.services.explore.ontologies import find_ontology, list_ontologies


def search(
    text: Annotated[str, typer.Argument(help="Names, codes or ids, in part.")],
    ontology: OntologyOption = "",
    limit: Annotated[int, typer.Option(min=1, help="The most concepts to show.")] = 20,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Search names, codes, ids, IRIs and cross-references; or else what is nearest."""
    with opened(workspace) as opened_workspace:
        chosen = find_ontology(opened_workspace, ontology).id if ontology else None
        result = search_names(opened_workspace, text, chosen, limit + 1)
        empty = not list_ontologies(opened_workspace)
    hits, more = result.hits[:limit], len(result.hits) > limit
    if json:
        rows = [_hit_object(hit) for hit in hits]
        remarks = {"more": more, "cut": result.cut, "near": result.near, "missing": result.missing}
        print_json({"hits": rows, **remarks})
        return
    if not hits:
        print_line(NO_ONTOLOGY if empty else _told_nothing(text))
        return
    if result.near:
        typer.echo(told_near(text, result.near), err=True)
    _print_hits(hits)
    if result.missing:
        typer.echo(told_missing(result.missing), err=True)
    if more:
        typer.echo(f"There are more than {limit:,}: raise --limit, or type more of it.", err=True)
    elif result.cut:
        typer.echo("More results exist; type more to narrow the search.", err=True)


def _hit_object(hit: Hit) -> dict[str, object]:
    named = name_fields(hit, text="name", label="concept_name", more="more_names")
    return named | {"match": hit.match.name.lower()}


def _print_hits(hits: Sequence[Hit]) -> None:
    rows = [
        (hit.code, hit.text, hit.label if hit.label != hit.text else "", _state_cell(hit.obsolete))
        for hit in hits
    ]
    print_table(("code", "name", "concept name", "obsolete"), rows)


def _told_nothing(text: str) -> str:
    if not text.strip():
        return "Nothing was typed to search for: give a name, a code or an id."
    return (
        f"Nothing is called “{text}”, and nothing is near: try fewer or other words, or a code. "
        "What is there: `termexplorer ontology list`."
    )


def _state_cell(obsolete: bool) -> ShownCell:
    return number_cell(obsolete, "obsolete" if obsolete else "")
