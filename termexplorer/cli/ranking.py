"""Commands that rank: `rank neighbours`, `rank hypernyms`; the others are put to them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Any

import typer

from termexplorer.cli.level_option import choose_level
from termexplorer.cli.name_lists import FromFileOption, read_names
from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    JsonOption,
    OntologyOption,
    RootOption,
    WorkspaceOption,
    options_from_dataclass,
)
from termexplorer.cli.output import encoder_cell, print_json, print_line, print_table
from termexplorer.cli.placing import print_parents
from termexplorer.cli.work.all_pairs import rank_all_command
from termexplorer.services.compare.rankings import (
    Ranker,
    RankingRequest,
    Rankings,
    RankingScope,
    Task,
    query_for,
    trained_on,
)
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.services.encoders.names_language import warn_of_known, with_known_shares
from termexplorer.services.explore.browsing import concept_ref
from termexplorer.services.explore.ontologies import find_concept, find_ontology
from termexplorer.services.levels.lens import LevelChoice, open_lens
from termexplorer.workspace import Workspace

app = typer.Typer(
    help="Rank names by encoders: neighbours, all pairs, hypernyms on a level, parents of a term."
)


@dataclass(frozen=True, slots=True)
class RankOptions:
    """What both rankings are asked."""

    encoder: Annotated[list[int], typer.Option(metavar="ID", help="May be given again.")]
    name: Annotated[str, typer.Argument(help="What to rank against.")] = ""
    from_file: FromFileOption = None
    ontology: OntologyOption = ""
    root: RootOption = ""
    level: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Level of the concepts, 1 the highest; of hypernyms else the one of the first"
            " trained encoder, or the one that suits the ontology.",
        ),
    ] = None
    top: Annotated[int, typer.Option(min=1, help="Rows for each encoder.")] = 10
    workspace: WorkspaceOption = None
    json: JsonOption = False


@app.command()
@options_from_dataclass
def neighbours(asked: RankOptions) -> None:
    """The nearest names; with --root only those below it, with --level only those on it."""
    names = read_names(asked.name, asked.from_file)
    with opened(asked.workspace) as workspace:
        among = _make_scope(workspace, asked)
        below = among.root_id if asked.root else None
        among = RankingScope(among.ontology_ids, below, asked.level, None if asked.level else below)
        _print_rankings(_rank_names(workspace, names, Task.NEIGHBOURS, among, asked), asked.json)


@app.command()
@options_from_dataclass
def hypernyms(asked: RankOptions) -> None:
    """The names of the concepts on a level, ranked."""
    names = read_names(asked.name, asked.from_file)
    with opened(asked.workspace) as workspace:
        among = with_level(workspace, _make_scope(workspace, asked))
        _print_rankings(_rank_names(workspace, names, Task.HYPERNYMS, among, asked), asked.json)


app.command("parents")(options_from_dataclass(print_parents))
app.command("all")(rank_all_command)


def _make_scope(workspace: Workspace, asked: RankOptions) -> RankingScope:
    return among_names(workspace, asked.encoder, asked.ontology, asked.root, asked.level)


def among_names(
    workspace: Workspace, encoders: list[int], ontology: str, root: str, level: int | None
) -> RankingScope:
    """Where to rank: as the options say, else as the first trained encoder was trained."""
    for encoder in encoders:
        find_encoder(workspace, encoder)
    trained = trained_on(workspace, encoders)
    trained_id = "" if trained is None else str(trained.ontology_id)
    if not (ontology or trained_id):
        raise typer.BadParameter("an untrained encoder needs it", param_hint="--ontology")
    chosen = find_ontology(workspace, ontology or trained_id)
    if trained and trained.choice and chosen.id == trained.ontology_id:
        root, level = root or trained.choice.root, level or trained.choice.level
    root_id = find_concept(workspace, chosen, root).id if root else None
    return RankingScope((chosen.id,), root_id=root_id, level=level)


def with_level(workspace: Workspace, among: RankingScope) -> RankingScope:
    """Return a scope on a level: its own, else the one that suits the ontology.

    Raises:
        UserError: There are no levels.
    """
    (ontology_id,) = among.ontology_ids
    top = None if among.root_id is None else concept_ref(workspace, among.root_id)
    root = top.curie if top else ""
    if among.level is None:
        open_lens(workspace, ontology_id, LevelChoice(root, dead_ends=False))
    return replace(among, level=choose_level(workspace, ontology_id, among.level, root))


def _rank_names(
    workspace: Workspace, names: list[str], task: Task, among: RankingScope, asked: RankOptions
) -> list[Rankings]:
    (ontology,), encoders = among.ontology_ids, tuple(asked.encoder)
    queries = [query_for(workspace, ontology, name) for name in names]
    with _open_ranker(workspace) as ranker:
        return [
            with_known_shares(
                workspace, ranker.rank(RankingRequest(query, task, encoders, among, asked.top))
            )
            for query in queries
        ]


@contextmanager
def _open_ranker(workspace: Workspace) -> Iterator[Ranker]:
    ranker = Ranker(workspace.folder)
    try:
        yield ranker
    finally:
        ranker.close()


def _print_rankings(rankings: list[Rankings], json: bool) -> None:
    if json:
        print_json({"ranking": [row for ranking in rankings for row in _ranking_rows(ranking)]})
        return
    for ranking in rankings:
        for column in ranking.columns:
            print_line(f"{ranking.request.query.text}, by {column.title} ({column.note})")
            if column.empty_query:
                print_line("  the encoder knows no part of this text")
                continue
            if warning := warn_of_known(column):
                print_line(f"  {warning}")
            rows = [
                (row.rank, row.similarity, row.code, row.text, row.relation.value)
                for row in column.rows
            ]
            heading = {
                "query": ranking.request.query.text,
                "encoder": encoder_cell(column.encoder_id, column.title),
            }
            print_table(("rank", "similarity", "code", "name", "relation"), rows, heading)
            if column.best_true_rank is not None:
                tied = f", tied with {column.tied - 1:,} more" if column.tied > 1 else ""
                rank_text = f"{column.best_true_rank:,} of {column.candidates:,}{tied}"
                print_line(f"best true rank: {rank_text}")


def _ranking_rows(ranking: Rankings) -> Iterator[dict[str, Any]]:
    for column in ranking.columns:
        for row in column.rows:
            yield {
                "encoder": column.encoder_id,
                "query": ranking.request.query.text,
                "rank": row.rank,
                "name": row.text,
                "concept": row.curie,
                "ontology": row.ontology_id,
                "similarity": row.similarity,
                "true": row.true,
                "relation": row.relation.value,
            }
