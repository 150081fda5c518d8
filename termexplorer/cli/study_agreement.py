"""The command `study agreement`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.agreement_told import agreement_object, print_agreement
from termexplorer.cli.options import JsonOption, SeedOption, spread
from termexplorer.cli.output import print_json
from termexplorer.services.agreement import AgreementRequest, report_agreement


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementOptions:
    """What the command is asked."""

    ratings: Annotated[
        Path, typer.Option(metavar="FILE", help="A line an item, a column a rater, gaps empty.")
    ]
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
    majority: Annotated[
        bool,
        typer.Option(
            "--dont-know-votes/--dont-know-missing",
            help='In the majority, "don\'t know" is a vote for none, or no vote.',
        ),
    ] = True
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
        str, typer.Option(metavar="COLUMN", help="Labels are looked at for each set in it.")
    ] = ""
    seed: SeedOption = 0
    json: JsonOption = False


@spread
def agreement_command(asked: AgreementOptions) -> None:
    """How well raters agree: overall, each two of them, and with themselves.

    Reads any table of ratings. Krippendorff's alpha; raw agreement; Cohen's kappa (overall, the
    mean of the pairs'), Fleiss' kappa and Gwet's AC1 or AC2, with ordinal or quadratic weights on
    an ordinal or interval scale; 95 % intervals by the bootstrap over items.
    """
    report = report_agreement(
        AgreementRequest(
            path=asked.ratings,
            scale=asked.scale,
            raters=tuple(asked.rater or ()),
            dont_know=asked.dont_know,
            dont_know_votes=asked.majority,
            item=asked.item,
            set=asked.set,
            label=asked.label,
            positive=asked.positive,
            seed=asked.seed,
        )
    )
    if asked.json:
        print_json(agreement_object(report))
        return
    print_agreement(report)
