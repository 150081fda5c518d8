"""The command `study status`."""

from dataclasses import asdict
from typing import Annotated, Any

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, WorkspaceOption
from termexplorer.cli.output import print_json, print_line, print_table
from termexplorer.services.signing.signatures import format_fingerprint
from termexplorer.services.studies.status import SeatStatus, StudyStatus, study_status
from termexplorer.services.studies.studies import choose_studies


def status_command(
    study_id: Annotated[
        int | None, typer.Argument(metavar="[ID]", help="Of a study; else all are told.")
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Tell how far the annotators of a study are, or of all studies."""
    with opened(workspace) as opened_workspace:
        studies = choose_studies(opened_workspace, study_id)
        statuses = [study_status(opened_workspace, study.id) for study in studies]
    if json:
        print_json({"studies": [_status_object(entry) for entry in statuses]})
    elif not statuses:
        print_line(
            "There are no studies yet; `termexplorer study new --help` tells how to make one."
        )
    for status in [] if json else statuses:
        print_line(
            f"study {status.study.id}, {status.study.head.title}: {status.complete:,} of "
            f"{status.pairs:,} pairs have all their answers"
        )
        if status.left_out_told:
            print_line(status.left_out_told)
        columns: tuple[str, ...] = (
            "annotator",
            "judged",
            "of",
            "skipped",
            "practised",
            "of",
            "last answer",
            "signed",
        )
        counts = ("annotator", "judged", "asked", "skipped", "practised", "practice", "last_at")
        rows = [
            [*(getattr(seat, name) for name in counts), _describe_signer(seat)]
            for seat in status.seats
        ]
        if any(seat.checks.asked for seat in status.seats):
            columns = (*columns, "checks right", "answered", "of")
            for row, seat in zip(rows, status.seats, strict=True):
                row += [seat.checks.right, seat.checks.answered, seat.checks.asked]
        print_table(columns, rows)


def _describe_signer(seat: SeatStatus) -> str:
    """Tell the key of an annotator, or that there is none, or a doubt."""
    return " ".join(filter(None, (seat.signed, format_fingerprint(seat.key))))


def _status_object(status: StudyStatus) -> dict[str, Any]:
    head = status.study.head
    return {
        "id": status.study.id,
        "title": head.title,
        "made_at": head.made_at,
        "plan": head.plan,
        "pairs": status.pairs,
        "complete": status.complete,
        "left_out": status.left_out,
        "annotators": [asdict(seat) for seat in status.seats],
    }
