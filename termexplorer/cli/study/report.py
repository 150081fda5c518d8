"""The command `study report`."""

from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    DontKnowVotesOption,
    JsonOption,
    SeedOption,
    StudyArgument,
    WorkspaceOption,
    options_from_dataclass,
    out_file,
)
from termexplorer.cli.output import print_json, print_line, progress_bar
from termexplorer.cli.study.agreement_told import agreement_object, figure_objects
from termexplorer.replicate.study.page import check_place, write_study_page
from termexplorer.services.agreement.agreement import Reckoning
from termexplorer.services.studies.encoders import LabelQuality
from termexplorer.services.studies.report import StudyReport, report_study
from termexplorer.workers.process.supervision import JobControl


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """What the command is asked."""

    study_id: StudyArgument
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE", help="The page, .html or .pdf.", callback=out_file(".html", ".pdf")
        ),
    ]
    encoder: Annotated[
        list[int] | None,
        typer.Option(metavar="ID", help="To hold against the annotators; repeatable."),
    ] = None
    figures: Annotated[
        bool,
        typer.Option(
            "--figures", help="Each figure as SVG, PDF and PNG at 300 dpi too, in a folder beside."
        ),
    ] = False
    votes: DontKnowVotesOption = True
    seed: SeedOption = 0
    workspace: WorkspaceOption = None
    json: JsonOption = False


@options_from_dataclass
def report_command(asked: ReportOptions) -> None:
    """Write a study's report for the appendix of a paper: one page, or PDF, without anything else.

    Protocol; agreement overall, in each set, of each two annotators and within one, with intervals;
    how good the sets' labels are by the ground truth, and encoders at their best thresholds. The
    ground truth is what `study adjudicate` decided, and the majority of all other pairs.
    """
    check_place(asked.out)
    reckoning = Reckoning(dont_know_votes=asked.votes, seed=asked.seed)
    with opened(asked.workspace) as workspace, progress_bar() as show:
        report = report_study(
            workspace, asked.study_id, asked.encoder or (), reckoning, JobControl(), show
        )
    files = write_study_page(asked.out, report, figures=asked.figures)
    if asked.json:
        print_json(_report_object(report, asked.out) | {"figures": list(map(str, files[1:]))})
    else:
        print_line(f"the report on {report.status.study.head.title} is in {asked.out}")


def _report_object(report: StudyReport, path: Path) -> dict[str, Any]:
    truth, status = report.truth, report.status
    content: dict[str, Any] = {"study": status.study.id, "title": status.study.head.title}
    content |= {"file": str(path), "annotators": [name_fields(seat) for seat in status.seats]}
    content |= agreement_object(report.agreement)
    return content | {
        "pairs_judged": len(truth.pairs) - truth.unjudged,
        "without_majority": truth.without_majority,
        "without_truth": truth.without_truth,
        "decisions": [
            {"terms": [pair.subject, pair.object], "set": pair.set_name} | name_fields(decision)
            for pair, decision in truth.decided.items()
        ],
        "labels": [_label_objects(label) for label in report.labels],
    }


def _label_objects(quality: LabelQuality) -> dict[str, Any]:
    given = quality.given
    threshold = given.threshold
    return {
        "title": given.title,
        "encoder": given.encoder_id,
        "threshold": threshold if threshold is not None and isfinite(threshold) else None,
        "undefined": given.undefined,
        "unlabelled": quality.unlabelled,
        "figures": figure_objects(quality.overall + ((given.area,) if given.area else ())),
        "sets": [
            {"set": name, "figures": figure_objects(row)} for name, row in quality.sets.items()
        ],
        "compared": [
            {
                "metric": comparison.raters.metric,
                **{
                    name: figure_objects([getattr(comparison, name)])[0]
                    for name in ("raters", "labels", "difference")
                },
            }
            for comparison in quality.beside
        ],
    }
