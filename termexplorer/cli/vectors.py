"""Commands about pretrained vectors: `vectors train`, `vectors add`, `vectors list`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, OntologyOption, WorkspaceOption
from termexplorer.cli.output import print_json, print_line, print_table, progress_bar
from termexplorer.services.encoders import list_encoders
from termexplorer.services.ontologies import find_ontology
from termexplorer.services.vectors import FastTextRequest, add_vectors, train_vectors
from termexplorer.store.encoders import EncoderInfo
from termexplorer.workers.supervision import Control

app = typer.Typer(help="Pretrained vectors: train them, open a file, list them.")


@app.command()
def train(
    ontology: OntologyOption,
    text: Annotated[
        list[Path] | None, typer.Option(help="A text file to read besides; may be given again.")
    ] = None,
    dimension: Annotated[int, typer.Option(min=2, help="Width of the vectors.")] = 300,
    epochs: Annotated[int, typer.Option(min=1, help="Times that the text is read.")] = 5,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Train fastText vectors on an ontology's names and definitions, and any text files."""
    with opened(workspace) as place, progress_bar() as show:
        chosen = find_ontology(place, ontology)
        request = FastTextRequest(
            workspace=place.folder,
            release_id=chosen.id,
            texts=tuple(path.resolve() for path in text or ()),
            dimension=dimension,
            epochs=epochs,
        )
        made = train_vectors(place, chosen, request, Control(), show)
    _tell(made, json)


@app.command()
def add(
    file: Annotated[Path, typer.Argument(help="A .bin, .vec, .vec.gz or word2vec text file.")],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Open vectors that were trained elsewhere."""
    with opened(workspace) as place, progress_bar() as show:
        made = add_vectors(place, file, Control(), show)
    _tell(made, json)


@app.command("list")
def list_(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """List all encoders: lexical, untrained (vectors) and trained."""
    with opened(workspace) as place:
        found = list_encoders(place)
    if json:
        print_json({"encoders": [asdict(each) for each in found]})
        return
    columns = ("id", "kind", "method", "title", "input", "dimension")
    rows = [
        (
            e.id,
            e.kind,
            e.method,
            e.title,
            "" if e.input_id is None else f"#{e.input_id}",
            e.dimension,
        )
        for e in found
    ]
    print_table(columns, rows)


def _tell(made: EncoderInfo, json: bool) -> None:
    if json:
        print_json(asdict(made))
    else:
        print_line(f"{made.title} is encoder {made.id}, {made.dimension} dimensions")
