"""`encoder list|show|export|remove|rename`, and an encoder as commands tell it."""

from pathlib import Path
from typing import Annotated, Any

import typer

from termexplorer.cli.json_words import name_fields, rename_keys
from termexplorer.cli.opening import opened, print_warning
from termexplorer.cli.options import JsonOption, WorkspaceOption, out_folder
from termexplorer.cli.output import print_json, print_line, print_table, progress_bar
from termexplorer.services.encoders.built_in import ensure_built_in
from termexplorer.services.encoders.cards import encoder_card
from termexplorer.services.encoders.encoders import find_encoder, list_encoders
from termexplorer.services.encoders.export import export_encoder, opens
from termexplorer.services.train.renaming import rename_own_encoder
from termexplorer.services.train.run_cards import card_text
from termexplorer.services.workspace.safe_removal import back_up_and_remove_encoder
from termexplorer.store.encoders.infos import EncoderInfo
from termexplorer.workers.process.supervision import JobControl

app = typer.Typer(help="Encoders: list them, show, export, rename or remove one.")


@app.command()
def show(
    encoder: Annotated[int, typer.Argument(metavar="ID", help="Its id.")],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Show how an encoder was made."""
    with opened(workspace) as opened_workspace:
        kept_encoder, card = (
            find_encoder(opened_workspace, encoder),
            encoder_card(opened_workspace, encoder),
        )
    if json:
        print_json(encoder_object(kept_encoder))
    else:
        print_line(card_text(card))


@app.command()
def export(
    encoder: Annotated[int, typer.Argument(metavar="ID", help="One that has vectors.")],
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="A new one.", callback=out_folder)
    ],
    sentence_transformers: Annotated[
        bool, typer.Option("--sentence-transformers", help="For that library, instead of ours.")
    ] = False,
    workspace: WorkspaceOption = None,
) -> None:
    """Write an encoder with all that it is made of: for `trainer.load`, or another library."""
    with opened(workspace) as opened_workspace, progress_bar() as show:
        written = export_encoder(
            opened_workspace, encoder, folder, sentence_transformers, JobControl(), show
        )
    print_line(opens(written, sentence_transformers))


@app.command()
def remove(
    encoder: Annotated[int, typer.Argument(metavar="ID", help="Its id.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    workspace: WorkspaceOption = None,
) -> None:
    """Remove vectors, or an encoder that was made of others, with its files and figures."""
    with opened(workspace) as opened_workspace:
        label = find_encoder(opened_workspace, encoder).label
        if not yes:
            typer.confirm(f"Remove {label} with its files and figures?", abort=True, err=True)
        back_up_and_remove_encoder(opened_workspace, encoder, print_warning)
    print_line(f"encoder {encoder} is removed")


@app.command()
def rename(
    encoder: Annotated[int, typer.Argument(metavar="ID", help="Its id.")],
    title: Annotated[str, typer.Argument(help="What it is to be called.")],
    workspace: WorkspaceOption = None,
) -> None:
    """Give an encoder another title; a trained one shares it with its run."""
    with opened(workspace) as opened_workspace:
        renamed = rename_own_encoder(opened_workspace, encoder, title)
    print_line(f"encoder {encoder} is now {renamed.title}")


@app.command("list")
def list_(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """List all encoders: lexical ones, the built-in one, vectors, trained ones, and mixtures."""
    with opened(workspace) as opened_workspace:
        ensure_built_in(opened_workspace)  # also where nothing has been encoded yet
        encoders = list_encoders(opened_workspace)
    if json:
        print_json({"encoders": [encoder_object(kept_encoder) for kept_encoder in encoders]})
        return
    columns = ("encoder", "kind", "method", "title", "made of", "dimension")
    rows = [(e.id, e.kind, e.method, e.title, _base_labels(e), e.dimension or "") for e in encoders]
    print_table(columns, rows)


def _base_labels(encoder: EncoderInfo) -> str:
    return " + ".join(f"#{id_}" for id_ in _base_ids(encoder))


def _base_ids(encoder: EncoderInfo) -> tuple[int, ...]:
    return encoder.part_ids if encoder.input_id is None else (encoder.input_id,)


def encoder_object(encoder: EncoderInfo) -> dict[str, Any]:
    """Return an encoder for JSON."""
    fields = name_fields(encoder, id="encoder", input_id="", part_ids="")
    return fields | {
        "made_of": list(_base_ids(encoder)),
        "parameters": rename_keys(encoder.parameters),
    }
