"""Commands that rank: `rank neighbours`, `rank hypernyms`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, OntologyOption, RootOption, WorkspaceOption
from termexplorer.cli.output import print_json, print_line, print_table
from termexplorer.errors import UserError
from termexplorer.services.encoders import find_encoder
from termexplorer.services.ontologies import find_concept, find_ontology
from termexplorer.services.rankings import (
    Among,
    Ranker,
    RankingRequest,
    Rankings,
    Task,
    query_for,
    trained_on,
)
from termexplorer.workspace import Workspace

app = typer.Typer(help="Rank names by encoders: neighbours, or hypernyms on a level.")

NameArgument: TypeAlias = Annotated[str, typer.Argument(help="What to rank against.")]
FromOption: TypeAlias = Annotated[
    Path | None, typer.Option("--from", metavar="FILE", help="A file of names, one a line.")
]
EncoderOption: TypeAlias = Annotated[
    list[int], typer.Option("--encoder", metavar="ID", help="May be given again.")
]
LevelOption: TypeAlias = Annotated[
    int | None, typer.Option(min=1, help="Level of the concepts, 1 the highest.")
]
TopOption: TypeAlias = Annotated[int, typer.Option(min=1, help="Rows for each encoder.")]


@app.command()
def neighbours(
    encoder: EncoderOption,
    name: NameArgument = "",
    from_file: FromOption = None,
    ontology: OntologyOption = "",
    root: RootOption = "",
    level: LevelOption = None,
    top: TopOption = 10,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """The nearest names; with --root only those below it, with --level only those on it."""
    names = _names(name, from_file)
    with opened(workspace) as place:
        among = _among(place, encoder, ontology, root, level)
        below = among.root_id if root else None
        among = Among(among.ontology_ids, below, level, None if level else below)
        _print(_ranked(place, names, Task.NEIGHBOURS, encoder, among, top), json)


@app.command()
def hypernyms(
    encoder: EncoderOption,
    name: NameArgument = "",
    from_file: FromOption = None,
    ontology: OntologyOption = "",
    root: RootOption = "",
    level: LevelOption = None,
    top: TopOption = 10,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """The names of the concepts on a level, ranked."""
    names = _names(name, from_file)
    with opened(workspace) as place:
        among = _among(place, encoder, ontology, root, level)
        if among.level is None:
            raise typer.BadParameter("say which level", param_hint="--level")
        _print(_ranked(place, names, Task.HYPERNYMS, encoder, among, top), json)


def _names(name: str, from_file: Path | None) -> list[str]:
    if bool(name) == (from_file is not None):
        raise typer.BadParameter("give a NAME, or a file of names with --from")
    if from_file is None:
        return [name]
    try:
        lines = from_file.read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise UserError(f"{from_file}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{from_file}: is no text in UTF-8; save it as such") from error
    names = [line.strip() for line in lines if line.strip()]
    if not names:
        raise UserError(f"{from_file}: holds no name; write one a line")
    return names


def _among(
    place: Workspace, encoders: list[int], ontology: str, root: str, level: int | None
) -> Among:
    """Where to rank: as the options say, else as the first trained encoder was trained."""
    for encoder in encoders:
        find_encoder(place, encoder)
    trained = trained_on(place, encoders)
    if not ontology and trained is None:
        raise typer.BadParameter("an untrained encoder needs it", param_hint="--ontology")
    if trained is None or (ontology and find_ontology(place, ontology).id != trained.ontology_id):
        chosen, root_of_run, level_of_run = find_ontology(place, ontology), "", None
    else:
        chosen = find_ontology(place, str(trained.ontology_id))
        root_of_run, level_of_run = trained.choice.root, trained.choice.level
    below = root or root_of_run
    root_id = find_concept(place, chosen, below).id if below else None
    return Among((chosen.id,), root_id=root_id, level=level or level_of_run)


def _ranked(
    place: Workspace, names: list[str], task: Task, encoders: list[int], among: Among, top: int
) -> list[Rankings]:
    with _ranker(place) as ranker:
        return [
            ranker.rank(
                RankingRequest(
                    query_for(place, among.ontology_ids[0], name), task, tuple(encoders), among, top
                )
            )
            for name in names
        ]


@contextmanager
def _ranker(place: Workspace) -> Iterator[Ranker]:
    ranker = Ranker(place.folder)
    try:
        yield ranker
    finally:
        ranker.close()


def _print(rankings: list[Rankings], json: bool) -> None:
    if json:
        print_json({"rows": [row for ranking in rankings for row in _rows(ranking)]})
        return
    for ranking in rankings:
        for column in ranking.columns:
            print_line(f"{ranking.request.query.text}, by {column.title} ({column.note})")
            if column.empty_query:
                print_line("  the encoder knows no part of this text")
                continue
            rows = [
                (row.rank, row.similarity, row.code, row.text, row.relation.value)
                for row in column.rows
            ]
            print_table(("rank", "similarity", "code", "name", "relation"), rows)
            if column.best_true_rank is not None:
                print_line(f"best true rank: {column.best_true_rank} of {column.candidates:,}")


def _rows(ranking: Rankings) -> Iterator[dict[str, Any]]:
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
