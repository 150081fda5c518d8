"""The commands `study list` and `study show`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from termexplorer.cli.json_words import name_fields, rename_keys
from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, WorkspaceOption
from termexplorer.cli.output import print_json, print_line, print_table
from termexplorer.services.signing.signatures import format_fingerprint
from termexplorer.services.studies.status import SeatStatus, StudyStatus, study_status
from termexplorer.services.studies.studies import choose_studies

_NO_STUDY = "There are no studies yet; `termexplorer study new --help` tells how to make one."


def list_command(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """List all studies, and how far each is."""
    statuses = _read_statuses(workspace, None)
    if json:
        print_json({"studies": [_status_object(status) for status in statuses]})
    elif statuses:
        columns = ("study", "title", "pairs", "complete", "annotators", "made at")
        rows = [
            (
                status.study.id,
                status.study.head.title,
                status.pairs,
                status.complete,
                len(status.seats),
                status.study.head.made_at,
            )
            for status in statuses
        ]
        print_table(columns, rows)
    else:
        print_line(_NO_STUDY)


def show_command(
    study_id: Annotated[
        int | None, typer.Argument(metavar="[ID]", help="Of a study; else all are told.")
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Tell how far the annotators of a study are, or of all studies."""
    statuses = _read_statuses(workspace, study_id)
    if json:
        print_json({"studies": [_status_object(status) for status in statuses]})
    elif not statuses:
        print_line(_NO_STUDY)
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
            "asked",
            "skipped",
            "practised",
            "practice",
            "last at",
            "signed",
        )
        counts = ("annotator", "judged", "asked", "skipped", "practised", "practice", "last_at")
        rows = [
            [*(getattr(seat, name) for name in counts), _describe_signer(seat)]
            for seat in status.seats
        ]
        if any(seat.checks.asked for seat in status.seats):
            columns = (*columns, "checks right", "checks answered", "checks asked")
            for row, seat in zip(rows, status.seats, strict=True):
                row += [seat.checks.right, seat.checks.answered, seat.checks.asked]
        print_table(columns, rows)


def _read_statuses(workspace: Path | None, study_id: int | None) -> list[StudyStatus]:
    with opened(workspace) as opened_workspace:
        studies = choose_studies(opened_workspace, study_id)
        return [study_status(opened_workspace, study.id) for study in studies]


def _describe_signer(seat: SeatStatus) -> str:
    """Tell the key of an annotator, or that there is none, or a doubt."""
    return " ".join(filter(None, (seat.signed, format_fingerprint(seat.key))))


def _status_object(status: StudyStatus) -> dict[str, Any]:
    head = status.study.head
    return {
        "study": status.study.id,
        "title": head.title,
        "made_at": head.made_at,
        "plan": _plan_object(head.plan),
        "pairs": status.pairs,
        "complete": status.complete,
        "left_out": status.left_out,
        "annotators": [name_fields(seat) for seat in status.seats],
    }


def _plan_object(plan: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a study was made by, as the store keeps it; a pair set is called `set`."""
    sets = [
        {"set" if key == "name" else key: value for key, value in pair_set.items()}
        for pair_set in plan.get("sets", ())
    ]
    return {**rename_keys(plan), **({"sets": sets} if sets else {})}
