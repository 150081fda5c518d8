"""The command `study agreement`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    TABLES,
    TABLES_TOLD,
    DontKnowVotesOption,
    JsonOption,
    SeedOption,
    WorkspaceOption,
    options_from_dataclass,
    out_file,
)
from termexplorer.cli.output import print_json
from termexplorer.cli.study.agreement_told import agreement_object, describe_doubts, print_agreement
from termexplorer.services.agreement.agreement import (
    AgreementReport,
    RatedRows,
    RatingsRequest,
    Reckoning,
    rated_file,
    report_agreement,
)
from termexplorer.services.agreement.couple_matrix import couple_header, couple_rows
from termexplorer.services.files.exports import write_table
from termexplorer.services.studies.truth import judged_study, measure_study


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementOptions:
    """What the command is asked."""

    study_id: Annotated[int | None, typer.Argument(metavar="[ID]", help="Of a study.")] = None
    ratings: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Any table, also XLSX: a line an item, a column a rater."
        ),
    ] = None
    scale: Annotated[str, typer.Option(help="nominal, ordinal, interval or ratio.")] = "nominal"
    rater: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="A rater's; repeatable. Found by itself otherwise."),
    ] = None
    dont_know: Annotated[
        str | None,
        typer.Option(
            metavar="VALUE", help='What stands for "don\'t know"; missing in all figures.'
        ),
    ] = None
    majority: DontKnowVotesOption = True
    missing: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VALUE",
            help="What stands for not rated besides empty cells; * and . unless told. Repeatable.",
        ),
    ] = None
    item: Annotated[
        str, typer.Option(metavar="COLUMN", help="Lines equal in it are one item, rated again.")
    ] = ""
    label: Annotated[
        str, typer.Option(metavar="COLUMN", help="Labels to hold against the majority's.")
    ] = ""
    positive: Annotated[
        str, typer.Option(metavar="VALUE", help="The label of which recall and precision are.")
    ] = ""
    set: Annotated[
        str, typer.Option(metavar="COLUMN", help="Each set in it is looked at apart.")
    ] = ""
    couples: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=f"Write the figures of each two raters there as matrices: {TABLES_TOLD}.",
            callback=out_file(*TABLES),
        ),
    ] = None
    seed: SeedOption = 0
    workspace: WorkspaceOption = None
    json: JsonOption = False


@options_from_dataclass
def agreement_command(asked: AgreementOptions) -> None:
    """How well raters agree: overall, each two of them, and with themselves.

    Of a study, or of any table of ratings, to which the options from --scale to --set are for.
    Krippendorff's alpha; raw agreement; Cohen's kappa (overall, the mean of the pairs'), Fleiss'
    kappa and Gwet's AC1 or AC2, with ordinal or quadratic weights on an ordinal or interval scale;
    95 % intervals by the bootstrap over items, of shares exact.
    """
    report = _make_report(asked, Reckoning(dont_know_votes=asked.majority, seed=asked.seed))
    if asked.couples is not None:
        write_table(asked.couples, couple_header(report), couple_rows(report))
    if asked.json:
        print_json(agreement_object(report))
        return
    print_agreement(report)


def _make_report(asked: AgreementOptions, reckoning: Reckoning) -> AgreementReport:
    if (asked.study_id is None) == (asked.ratings is None):
        raise typer.BadParameter("give the id of a study, or a file of ratings with --ratings")
    if asked.ratings is None:
        votes, study_id = reckoning.dont_know_votes, asked.study_id or 0
        with opened(asked.workspace) as workspace:
            judged = judged_study(workspace, study_id, dont_know_votes=votes)
        return measure_study(judged, reckoning)
    rated = _rated_file(asked.ratings, asked)
    for note in describe_doubts(rated, asked.item):
        typer.echo(note, err=True)
    return report_agreement(rated, reckoning)


def _rated_file(path: Path, asked: AgreementOptions) -> RatedRows:
    return rated_file(
        RatingsRequest(
            path=path,
            scale=asked.scale,
            raters=tuple(asked.rater or ()),
            dont_know=asked.dont_know,
            item=asked.item,
            set=asked.set,
            label=asked.label,
            positive=asked.positive,
            missing=None if asked.missing is None else tuple(asked.missing),
        )
    )
