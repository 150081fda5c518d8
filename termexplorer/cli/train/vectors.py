"""Commands about encoders that need no training on classes: vectors, and what is made of others."""

from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, OntologyOption, WorkspaceOption
from termexplorer.cli.output import print_json, print_line, progress_bar
from termexplorer.cli.train.encoders import encoder_object
from termexplorer.services.encoders.made_encoders import (
    blend_encoder,
    fit_blend,
    join_encoders,
    word_mover_encoder,
)
from termexplorer.services.encoders.vector_spread import warn_of_spread
from termexplorer.services.encoders.vectors import (
    METHODS,
    TrainVectorsRequest,
    add_vectors,
    repeats_text,
    train_vectors,
)
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.store.encoders.infos import EncoderInfo
from termexplorer.workers.process.supervision import JobControl

app = typer.Typer(help="Vectors: train, open, join or blend them.")


_REPEATABLE = ", ".join(name for name, listed in METHODS.items() if listed.repeatable)
_METHODS = "\n\n".join(f"{name}: {listed.when}" for name, listed in METHODS.items())


@app.command(epilog=_METHODS)
def train(
    ontology: OntologyOption,
    method: Annotated[
        str, typer.Option(help=f"One of {', '.join(METHODS)}; see below.")
    ] = "fasttext",
    text: Annotated[
        list[Path] | None, typer.Option(help="A text file to read besides; may be given again.")
    ] = None,
    pubtator: Annotated[
        list[Path] | None,
        typer.Option(help="A PubTator file, its annotations as names; may be given again."),
    ] = None,
    dimension: Annotated[int | None, typer.Option(min=2, help="Width of the vectors.")] = None,
    epochs: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Times that the text, or what was counted of it, is gone through; of fastText else"
            " by the length of the text.",
        ),
    ] = None,
    min_count: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Rarer words have no vector of their own; of fastText else by the length of the"
            " text.",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help=f"Of everything random; void but for {_REPEATABLE}."),
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Train vectors on an ontology's names and definitions, and any text files."""
    with opened(workspace) as opened_workspace, progress_bar() as show:
        chosen = find_ontology(opened_workspace, ontology)
        request = TrainVectorsRequest(
            workspace=opened_workspace.folder,
            release_id=chosen.id,
            texts=tuple(path.resolve() for path in text or ()),
            method=method,
            pubtator=tuple(path.resolve() for path in pubtator or ()),
            dimension=dimension,
            epochs=epochs,
            min_count=min_count,
            seed=seed,
        )
        encoder = train_vectors(opened_workspace, chosen, request, JobControl(), show)
    _print_encoder(encoder, json)
    if seed is not None and not METHODS[method].repeatable:
        typer.echo(
            f"The seed is void: the threads of fastText, which {method} is trained with, make each "
            "training differ a little.",
            err=True,
        )


@app.command()
def add(
    source: Annotated[
        Path,
        typer.Argument(
            help="A .bin, .vec, .vec.gz or text file of word2vec or GloVe, the folder of a Hugging "
            "Face transformer, or a .npy matrix."
        ),
    ],
    names: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The names of a matrix's rows, one a line.")
    ] = None,
    pooling: Annotated[
        str, typer.Option(help="Of a transformer's tokens: mean, or the first one.")
    ] = "mean",
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Open vectors that were made elsewhere."""
    with opened(workspace, make=True) as opened_workspace, progress_bar() as show:
        encoder = add_vectors(
            opened_workspace, source, JobControl(), show, names=names, pooling=pooling
        )
    _print_encoder(encoder, json)


@app.command()
def join(
    encoder: Annotated[list[int], typer.Option(metavar="ID", help="Two or more, one by one.")],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Put the vectors of several encoders side by side, each at unit length."""
    with opened(workspace) as opened_workspace:
        joined = join_encoders(opened_workspace, encoder)
    _print_encoder(joined, json)


@app.command()
def blend(
    encoder: Annotated[int, typer.Option(metavar="ID", help="The encoder to add TF-IDF to.")],
    ontology: Annotated[
        str,
        typer.Option(
            metavar="ID", help="To choose the weight on; else the one that it was trained on."
        ),
    ] = "",
    weight: Annotated[float | None, typer.Option(min=0, help="Of TF-IDF; else chosen.")] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Of the split that the weight is chosen on; else the run's."),
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Add TF-IDF to the similarities of an encoder, with the weight that finds synonyms best."""
    if weight is not None and (ontology or seed is not None):
        raise typer.BadParameter("a --weight is not chosen: leave --ontology and --seed out")
    with opened(workspace) as opened_workspace, progress_bar() as show:
        if weight is None:
            chosen = find_ontology(opened_workspace, ontology) if ontology else None
            blended = fit_blend(opened_workspace, encoder, chosen, seed, JobControl(), show)
        else:
            blended = blend_encoder(opened_workspace, encoder, weight)
    _print_encoder(blended, json)


@app.command("word-movers")
def word_movers(
    encoder: Annotated[int, typer.Option(metavar="ID", help="Word vectors.")],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Add an encoder that ranks by the word mover's distance over word vectors.

    It is exact for the hundred best names of each ranking, and slow: tenths of a second for a name
    among a hundred thousand.
    """
    with opened(workspace) as opened_workspace:
        word_movers_encoder = word_mover_encoder(opened_workspace, encoder)
    _print_encoder(word_movers_encoder, json)


def _print_encoder(encoder: EncoderInfo, json: bool) -> None:
    if json:
        print_json(encoder_object(encoder))
    else:
        width = f", {encoder.dimension} dimensions" if encoder.dimension else ""
        print_line(f"{encoder.title} is encoder {encoder.id}{width}")
        if left_out := repeats_text(encoder):
            print_line(left_out)
    if warning := warn_of_spread(encoder.parameters):
        typer.echo(f"Warning: {warning}.", err=True)
