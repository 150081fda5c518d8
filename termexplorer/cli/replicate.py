"""The command `replicate`: a paper's protocol on data of the user's own."""

import json as json_text
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from termexplorer.cli.options import JsonOption, WorkspaceOption, options_from_dataclass, out_folder
from termexplorer.cli.output import print_json, print_line, print_table, progress_bar
from termexplorer.cli.work.options import (
    DatabaseOption,
    PrepareOption,
    keep_database,
    print_prepared,
)
from termexplorer.errors import UserError
from termexplorer.replicate.asked import SEEDS, SHOTS
from termexplorer.replicate.report import write_report
from termexplorer.replicate.studies import PAPERS, AskedStudy, prepare, replicate
from termexplorer.workers.process.supervision import JobControl

Files: TypeAlias = list[Path] | None
Texts: TypeAlias = list[str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicateOptions:
    """What a study is asked."""

    paper: Annotated[str, typer.Argument(help=f"One of {', '.join(PAPERS)}; or mapping.")]
    ontology: Annotated[
        Texts,
        typer.Option(
            metavar="FILE|icd10cm|ID",
            help="May be given again; ids with --workspace, which a file is imported into.",
        ),
    ] = None
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="mapping: a folder with ontologies/ and mappings/, such as doid_ncit.exact.tsv.",
        ),
    ] = None
    matcher: Annotated[
        Files,
        typer.Option(
            metavar="FILE", help="mapping: what another matcher proposed; may be given again."
        ),
    ] = None
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Of the report; goes on there.", callback=out_folder)
    ]
    vectors: Annotated[
        str, typer.Option(metavar="FOLDER|FILE|ID", help="Pretrained; ids with --workspace.")
    ] = ""
    text: Annotated[
        Files, typer.Option(metavar="FILE", help="To train vectors on; may be repeated.")
    ] = None
    benchmarks: Annotated[
        Files, typer.Option(metavar="FILE", help="Term pairs with scores; may be given again.")
    ] = None
    corpus: Annotated[
        Files,
        typer.Option(
            metavar="FILE", help="name-encoders: mentions in a PubTator file; may be given again."
        ),
    ] = None
    training: Annotated[
        Files,
        typer.Option(
            metavar="FILE",
            help="name-encoders: PubTator file: a mention that is there has its concept (XM).",
        ),
    ] = None
    kind: Annotated[
        Texts,
        typer.Option(
            metavar="TYPE",
            help="name-encoders: such as Disease; may be given again, each is apart.",
        ),
    ] = None
    root: Annotated[
        Texts, typer.Option(metavar="CURIE", help="Look below this concept; may be given again.")
    ] = None
    groups: Annotated[
        Texts,
        typer.Option(
            metavar="PREFIX",
            help="grounding: the concepts also grouped by their codes in another system, such as"
            " ICD10CM; may be given again.",
        ),
    ] = None
    shots: Annotated[
        str | None,
        typer.Option(
            help="few-shot: names of each class, with commas.",
            show_default=",".join(map(str, SHOTS)),
        ),
    ] = None
    preset: Annotated[str, typer.Option(help="quick (right for two cores) or paper.")] = "quick"
    seeds: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Samples or splits, as in the paper; term-pairs has none.",
            show_default=str(SEEDS),
        ),
    ] = None
    set: Annotated[
        Texts,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Change a hyper-parameter. term-pairs: pairs=N: of each label in a set; 0: all; "
            "names=N: drawn from categories.",
        ),
    ] = None
    workspace: WorkspaceOption = None
    database: DatabaseOption = ""
    prepare: PrepareOption = False
    json: JsonOption = False


MAPPING = "mapping"  # the study without a paper
_FIGURE_WORDS = {"better": "wins", "encoder": "encoder_title", "ontology": "ontology_title"}
_TOLD_APART = ("ontology", "root", "groups", "shots")  # columns where figures differ in them


@options_from_dataclass
def replicate_command(asked: ReplicateOptions) -> None:
    """Repeat a paper's experiments, and report them beside the paper's own figures."""
    if asked.paper.lower() == MAPPING:
        _study_mappings(asked)
        return
    study = _make_study(asked)
    keep_database(study.out, asked.database)
    if asked.prepare:
        with progress_bar() as show:
            prepare(study, JobControl(), show)
        print_prepared(study.out, json=asked.json)
        return
    with progress_bar() as show:
        report = replicate(study, JobControl(), show)
    page = str(asked.out / "report.html")
    if asked.json:
        print_json({"file": page, "figures": [*map(_figure_object, report.figures)]})
        return
    distinguishing = [
        name for name in _TOLD_APART if len({figure.get(name) for figure in report.figures}) > 1
    ]
    columns = (*distinguishing, "encoder", "data", "metric", "value", "low", "high", "n")
    print_table(columns, [[figure.get(name) for name in columns] for figure in report.figures])
    print_line(page)


def _study_mappings(asked: ReplicateOptions) -> None:
    from termexplorer.replicate.mapping.page import make_mapping_report
    from termexplorer.replicate.mapping.running import MappingStudy, write_proposals
    from termexplorer.replicate.mapping.tasks import map_all, prepare_mapping

    if asked.data is None:
        raise UserError("give --data: a folder with ontologies/ and mappings/ between them")
    matchers = tuple((path.name.split(".")[0], path) for path in asked.matcher or ())
    asked.out.mkdir(parents=True, exist_ok=True)
    study = MappingStudy(asked.data.resolve(), asked.out.resolve(), asked.workspace, matchers)
    keep_database(study.out, asked.database)
    if asked.prepare:
        prepare_mapping(study)
        print_prepared(study.out, json=asked.json)
        return
    with progress_bar() as show:
        mapped = map_all(study, JobControl(), show)
    write_proposals(asked.out / "proposals.json", mapped)
    report = make_mapping_report(mapped)
    write_report(asked.out, report)
    page = str(asked.out / "report.html")
    if asked.json:
        print_json({"file": page, "figures": [*map(_name_figure, report.figures)]})
        return
    columns = ("ontologies", "encoder", "precision", "recall", "f1", "recall_at_precision_98")
    print_table(columns, [[figure[name] for name in columns] for figure in report.figures])
    print_line(page)


def _name_figure(figure: dict[str, Any]) -> dict[str, Any]:
    return {_FIGURE_WORDS.get(key, key): value for key, value in figure.items()}


def _figure_object(figure: dict[str, Any]) -> dict[str, Any]:
    """Return a figure for JSON: an encoder and an ontology of a study have no id, but a title."""
    return _name_figure(figure) | {"metric": str(figure["metric"]).lower()}


def _need_ontologies(asked: ReplicateOptions) -> list[str]:
    if not asked.ontology:
        raise UserError(f"{asked.paper}: give --ontology: a file, icd10cm, or an id")
    return asked.ontology


def _make_study(asked: ReplicateOptions) -> AskedStudy:
    return AskedStudy(
        paper=asked.paper.upper(),
        out=asked.out,
        ontologies=_need_ontologies(asked),
        vectors=asked.vectors,
        benchmarks=asked.benchmarks or (),
        texts=asked.text or (),
        workspace=asked.workspace,
        preset=asked.preset,
        seeds=asked.seeds,
        roots=asked.root or (),
        shots=() if asked.shots is None else _parse_numbers(asked.shots),
        changes=dict(_parse_change(change) for change in asked.set or ()),
        corpora=asked.corpus or (),
        training=asked.training or (),
        kinds=asked.kind or (),
        groups=asked.groups or (),
    )


def _parse_numbers(text: str) -> list[int]:
    try:
        return [int(word) for word in text.split(",")]
    except ValueError as error:
        raise typer.BadParameter("give numbers with commas, as 5,10,15") from error


def _parse_change(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign:
        raise typer.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--set")
    try:
        return name, json_text.loads(value)
    except ValueError:
        return name, value
