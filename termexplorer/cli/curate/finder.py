"""What the commands have in common whose finders learn from corrupted copies."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from termexplorer.cli.curate.lists import kept_object, print_kept
from termexplorer.cli.level_option import choose_level
from termexplorer.cli.options import (
    TABLES,
    JsonOption,
    LimitOption,
    RootOption,
    SeedOption,
    WorkspaceOption,
    out_file,
)
from termexplorer.cli.output import count_text, print_json, print_line
from termexplorer.services.curate.found import MOST, FinderRequest, FoundSuggestions
from termexplorer.services.curate.suggesting import FINDERS, keep_found
from termexplorer.services.curate.suggestion_files import write_suggestions
from termexplorer.services.curate.suggestion_lists import KeptSearch
from termexplorer.services.explore.ontologies import find_concept, find_ontology
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class FinderOptions:
    """What each of them is asked."""

    ontology: Annotated[str, typer.Option(metavar="ID", help="Where they are looked for.")]
    encoder: Annotated[list[int], typer.Option(metavar="ID", help="What doubts them; repeatable.")]
    root: RootOption = ""
    share: Annotated[float, typer.Option(help="Of names moved in a corrupted copy.")] = 0.02
    seed: SeedOption = 0
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=f"All suggestions, at most the {MOST:,} most likely, as .sssom.tsv, .csv, .tsv, "
            ".xlsx or .jsonl.",
            callback=out_file(".sssom.tsv", *TABLES),
        ),
    ] = None
    limit: LimitOption = 20
    workspace: WorkspaceOption = None
    json: JsonOption = False


def find_and_keep(
    workspace: Workspace,
    kind: str,
    asked: FinderOptions,
    on_message: Callable[[object], None],
    level: int | None = 1,
) -> tuple[FoundSuggestions[Any], KeptSearch]:
    """Looks for suggestions, keeps them for review, and writes them if a file was asked for.

    Returns:
        them, and the list in which they are kept.

    Raises:
        UserError: there is no such ontology, no such concept in it, or nothing can be looked for.
    """
    ontology = find_ontology(workspace, asked.ontology)
    top = find_concept(workspace, ontology, asked.root).curie if asked.root else ""
    level = choose_level(workspace, ontology.id, level, top) if kind == "misplaced" else 1
    request = FinderRequest(
        workspace.folder, ontology.id, tuple(asked.encoder), top, level, asked.share, asked.seed
    )
    finder = FINDERS[kind]
    suggestions = finder.find(workspace, ontology, request, JobControl(), on_message)
    kept_search = keep_found(workspace, kind, suggestions, request)
    if asked.out is not None:
        write_suggestions(workspace, asked.out, finder.file(suggestions))
    return suggestions, kept_search


def tell(
    asked: FinderOptions,
    suggestions: FoundSuggestions[Any],
    kept_search: KeptSearch,
    as_object: Callable[[], dict[str, object]],
    print_found: Callable[[], None],
) -> None:
    """Prints what was found and left out, where it is reviewed, and the file that it is in."""
    left_out = suggestions.answer.left_out
    if asked.json:
        print_json(as_object() | kept_object(kept_search) | {"left_out": left_out})
        return
    print_found()
    print_kept(kept_search, min(asked.limit, kept_search.count))
    if left_out:
        more = count_text(left_out, "more is", "more are")
        print_line(f"These are the {kept_search.count:,} most likely suggestions; {more} left out.")
    if asked.out is not None:
        print_line(
            f"{count_text(kept_search.count, 'suggestion is', 'suggestions are')} in {asked.out}"
        )
