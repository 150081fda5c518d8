"""The command `replicate`: a paper's protocol on data of the user's own."""

import json as json_text
from pathlib import Path
from typing import Annotated, Any

import typer

from termexplorer.cli.options import JsonOption, WorkspaceOption
from termexplorer.cli.output import print_json, print_line, print_table, progress_bar
from termexplorer.replicate.studies import PAPERS, Study, replicate
from termexplorer.workers.supervision import Control


def replicate_command(
    paper: Annotated[str, typer.Argument(help=f"One of {', '.join(PAPERS)}.")],
    ontology: Annotated[
        list[str],
        typer.Option(metavar="FILE|icd10cm|ID", help="May be given again; ids with --workspace."),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Of the report; goes on there.")],
    vectors: Annotated[
        str, typer.Option(metavar="FOLDER|FILE|ID", help="Pretrained; ids with --workspace.")
    ] = "",
    text: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="To train vectors on; may be repeated."),
    ] = None,
    benchmarks: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Term pairs with scores; may be given again."),
    ] = None,
    corpus: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="[BNE] mentions in a PubTator file; may be given again."),
    ] = None,
    training: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="[BNE] PubTator file: a mention that is there has its concept (XM).",
        ),
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TYPE", help="[BNE] such as Disease; may be given again, each is apart."
        ),
    ] = None,
    root: Annotated[
        list[str] | None,
        typer.Option(metavar="CURIE", help="Look below this concept; may be given again."),
    ] = None,
    shots: Annotated[str, typer.Option(help="[FSL] names of each class, with commas.")] = "5,10,15",
    preset: Annotated[str, typer.Option(help="quick (right for two cores) or paper.")] = "quick",
    seeds: Annotated[int, typer.Option(min=1, help="Samples or splits; as in the paper.")] = 5,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Change a hyper-parameter."),
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Repeat a paper's experiments, and report them beside the paper's own figures."""
    study = Study(
        paper=paper.upper(),
        out=out,
        ontologies=ontology,
        vectors=vectors,
        benchmarks=benchmarks or (),
        texts=text or (),
        workspace=workspace,
        preset=preset,
        seeds=seeds,
        roots=root or (),
        shots=_numbers(shots),
        changes=dict(_change(each) for each in set_ or ()),
        corpora=corpus or (),
        training=training or (),
        kinds=kind or (),
    )
    with progress_bar() as show:
        report = replicate(study, Control(), show)
    if json:
        print_json({"report": str(out / "report.html"), "figures": report.figures})
        return
    columns = ("encoder", "data", "metric", "value", "low", "high", "n")
    print_table(columns, [[each.get(name) for name in columns] for each in report.figures])
    print_line(f"{out / 'report.html'}")


def _numbers(text: str) -> list[int]:
    try:
        return [int(word) for word in text.split(",")]
    except ValueError as error:
        raise typer.BadParameter("give numbers with commas, as 5,10,15") from error


def _change(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign:
        raise typer.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--set")
    try:
        return name, json_text.loads(value)
    except ValueError:
        return name, value
