"""What the commands have in common whose finders learn from corrupted copies."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from termexplorer.cli.curate.lists import kept_object, print_kept
from termexplorer.cli.options import (
    JsonOption,
    LimitOption,
    RootOption,
    SeedOption,
    SuggestionsOption,
    WorkspaceOption,
)
from termexplorer.cli.output import count_text, print_json, print_line
from termexplorer.services.curate.found import FinderRequest, FoundSuggestions
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
    out: SuggestionsOption = None
    limit: LimitOption = 20
    workspace: WorkspaceOption = None
    json: JsonOption = False


def find_and_keep(
    place: Workspace,
    kind: str,
    asked: FinderOptions,
    on_message: Callable[[object], None],
    level: int = 1,
) -> tuple[FoundSuggestions[Any], KeptSearch]:
    """Looks for suggestions, keeps them for review, and writes them if a file was asked for.

    Returns:
        them, and the list in which they are kept.

    Raises:
        UserError: there is no such ontology, no such concept in it, or nothing can be looked for.
    """
    there = find_ontology(place, asked.ontology)
    top = find_concept(place, there, asked.root).curie if asked.root else ""
    request = FinderRequest(
        place.folder, there.id, tuple(asked.encoder), top, level, asked.share, asked.seed
    )
    finder = FINDERS[kind]
    found = finder.find(place, there, request, JobControl(), on_message)
    kept = keep_found(place, kind, found, request)
    if asked.out is not None:
        write_suggestions(place, asked.out, finder.file(found))
    return found, kept


def tell(
    asked: FinderOptions,
    kept: KeptSearch,
    as_object: Callable[[], dict[str, object]],
    print_found: Callable[[], None],
) -> None:
    """Prints what was found, where it is reviewed, and the file that it is in."""
    if asked.json:
        print_json(as_object() | kept_object(kept))
        return
    print_found()
    print_kept(kept, min(asked.limit, kept.count))
    if asked.out is not None:
        print_line(f"{count_text(kept.count, 'suggestion is', 'suggestions are')} in {asked.out}")
