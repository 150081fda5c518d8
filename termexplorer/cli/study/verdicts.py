"""The command `study verdicts`."""

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
    StudyArgument,
    WorkspaceOption,
    options_from_dataclass,
    out_file,
)
from termexplorer.cli.output import count_text, print_json, print_line
from termexplorer.cli.study.adjudicate import SetOption, Which
from termexplorer.services.files.exports import write_table
from termexplorer.services.studies.adjudication.disputed_pairs import JUDGED, PairChoice
from termexplorer.services.studies.verdict_table import verdict_table


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictsOptions:
    """What the command is asked."""

    study_id: StudyArgument
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help=f"The table, as {TABLES_TOLD}.",
            callback=out_file(*TABLES),
        ),
    ]
    which: Annotated[
        Which | None,
        typer.Option(
            help='Only pairs without a majority, of any disagreement, with a "don\'t know", or '
            "that were judged; else all of the study."
        ),
    ] = None
    set: SetOption = None
    not_judging: Annotated[
        bool,
        typer.Option("--not-judging", help="I am none of those who still judge in this workspace."),
    ] = False
    votes: DontKnowVotesOption = True
    workspace: WorkspaceOption = None
    json: JsonOption = False


@options_from_dataclass
def verdicts_command(asked: VerdictsOptions) -> None:
    """Write what was said in a study as one table: a row a pair, a column an annotator.

    With set, label, majority, decision, comments and seconds; empty cells where somebody was not
    asked or has not answered. Not for those who still judge, who must not know what others said.
    """
    choice = None
    if asked.which is not None or asked.set is not None:
        choice = PairChoice(JUDGED if asked.which is None else asked.which.value, asked.set)
    with opened(asked.workspace) as workspace:
        table = verdict_table(
            workspace,
            asked.study_id,
            choice,
            dont_know_votes=asked.votes,
            judges_not=asked.not_judging,
        )
    write_table(asked.out, table.header(), table.rows())
    decided = sum(pair.decision is not None for pair in table.pairs)
    judged = sum(bool(pair.answers) for pair in table.pairs)
    if asked.json:
        counts = {"pairs": len(table.pairs), "judged": judged, "decided": decided}
        print_json({**counts, "annotators": table.annotators, "file": str(asked.out)})
        return
    print_line(
        f"{count_text(len(table.pairs), 'pair is', 'pairs are')} in {asked.out}: "
        f"{judged:,} judged, {decided:,} decided"
    )
