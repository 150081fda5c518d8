"""The one body of the commands whose finders learn from corrupted copies."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from termexplorer.cli.curate.lists import kept_object, print_kept
from termexplorer.cli.curate.trial import check_object, print_check, print_trial, trial_object
from termexplorer.cli.level_option import choose_level
from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    MAPPINGS_TOLD,
    TABLES,
    TABLES_TOLD,
    JsonOption,
    LimitOption,
    RootOption,
    SeedOption,
    WorkspaceOption,
    out_file,
)
from termexplorer.cli.output import count_text, print_json, print_line, print_table, progress_bar
from termexplorer.mapping_terms import MAPPING_SUFFIXES
from termexplorer.services.curate.found import MOST, FinderRequest, FoundSuggestions
from termexplorer.services.curate.newer_check import NewerCheck
from termexplorer.services.curate.suggesting import FINDERS, keep_found
from termexplorer.services.curate.suggestion_files import write_suggestions
from termexplorer.services.curate.suggestion_lists import KeptSearch
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.services.explore.ontologies import Ontology, find_concept, find_ontology
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
            help=f"All suggestions, at most the {MOST:,} most likely, as {MAPPINGS_TOLD}, "
            f"{TABLES_TOLD}.",
            callback=out_file(*MAPPING_SUFFIXES, *TABLES),
        ),
    ] = None
    limit: LimitOption = 20
    workspace: WorkspaceOption = None
    json: JsonOption = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FinderAnswer:
    """What a finder found, as a command tells it.

    Attributes:
        found: the suggestions, and how good they are.
        titles: of the encoders, by their ids.
        limit: the most suggestions to show.
    """

    found: FoundSuggestions[Any]
    titles: Mapping[int, str]
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FinderWords:
    """How the suggestions of one finder are told; all else is the same for all finders.

    Attributes:
        kind: the finder's key in `FINDERS`.
        print_start: prints what was looked at.
        columns: the titles of the suggestions' table.
        list_rows: its rows, no more than are shown.
        suggestion_objects: the suggestions for JSON.
        count_objects: for JSON, how many of what were looked at.
        check: holds the suggestions against a newer release; None where none tells.
        check_titles: what was looked at there, and the titles of the two shares.
    """

    kind: str
    print_start: Callable[[FinderAnswer], None]
    columns: tuple[str, ...]
    list_rows: Callable[[FinderAnswer], list[tuple[Any, ...]]]
    suggestion_objects: Callable[[FoundSuggestions[Any]], list[dict[str, object]]]
    count_objects: Callable[[FoundSuggestions[Any]], dict[str, object]]
    check: Callable[[Workspace, Any, Ontology], NewerCheck] | None = None
    check_titles: tuple[str, str, str] = ("", "", "")


def run_finder(
    asked: FinderOptions, words: FinderWords, *, level: int | None = 1, newer: str = ""
) -> None:
    """Look for suggestions, keep them for review, and tell what was found.

    Args:
        asked: what every finder is asked.
        words: how the suggestions of this one are told.
        level: of the classes, where the finder knows classes; None for the one that suits.
        newer: a newer release that they are held against; "" for none.
    """
    check = None
    with opened(asked.workspace) as workspace, progress_bar() as show:
        later = find_ontology(workspace, newer) if newer else None
        suggestions, kept_search = _find_and_keep(workspace, words.kind, asked, show, level)
        if later is not None and words.check is not None:
            check = words.check(workspace, suggestions, later)
        titles = {
            encoder_id: find_encoder(workspace, encoder_id).label for encoder_id in asked.encoder
        }
    if asked.json:
        print_json(_answer_object(suggestions, words, check) | kept_object(kept_search))
        return
    answer = FinderAnswer(found=suggestions, titles=titles, limit=asked.limit)
    words.print_start(answer)
    print_trial(suggestions.answer.trial)
    if rows := words.list_rows(answer):
        print_table(words.columns, rows)
    print_check(check, *words.check_titles)
    _print_end(asked, suggestions.answer.left_out, kept_search)


def _answer_object(
    suggestions: FoundSuggestions[Any], words: FinderWords, check: NewerCheck | None
) -> dict[str, object]:
    content: dict[str, object] = {"suggestions": words.suggestion_objects(suggestions)}
    content |= words.count_objects(suggestions)
    content |= trial_object(suggestions.answer.trial) | check_object(check)
    return content | {"left_out": suggestions.answer.left_out}


def _find_and_keep(
    workspace: Workspace,
    kind: str,
    asked: FinderOptions,
    on_message: Callable[[object], None],
    level: int | None,
) -> tuple[FoundSuggestions[Any], KeptSearch]:
    """Look for suggestions, keep them for review, and write them if a file was asked for."""
    ontology = find_ontology(workspace, asked.ontology)
    root = find_concept(workspace, ontology, asked.root).curie if asked.root else ""
    level = choose_level(workspace, ontology.id, level, root) if kind == "misplaced" else 1
    request = FinderRequest(
        workspace.folder, ontology.id, tuple(asked.encoder), root, level, asked.share, asked.seed
    )
    finder = FINDERS[kind]
    suggestions = finder.find(workspace, ontology, request, JobControl(), on_message)
    kept_search = keep_found(workspace, kind, suggestions, request)
    if asked.out is not None:
        write_suggestions(workspace, asked.out, finder.file(suggestions))
    return suggestions, kept_search


def _print_end(asked: FinderOptions, left_out: int, kept_search: KeptSearch) -> None:
    """Print how many are shown and left out, where they are reviewed, and the file."""
    print_kept(kept_search, min(asked.limit, kept_search.count))
    if left_out:
        more = count_text(left_out, "more is", "more are")
        print_line(f"These are the {kept_search.count:,} most likely suggestions; {more} left out.")
    if asked.out is not None:
        print_line(
            f"{count_text(kept_search.count, 'suggestion is', 'suggestions are')} in {asked.out}"
        )
