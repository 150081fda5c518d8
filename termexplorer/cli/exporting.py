"""Opening a workspace for an export, also one that has damaged rows."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from termexplorer.cli.opening import opened
from termexplorer.cli.output import count_text, print_line, print_table
from termexplorer.places import workspace_folder
from termexplorer.services.curate.answers.blind_answers import BlindAnswers
from termexplorer.services.workspace.sound_copy import SoundPart, open_sound_part


@contextmanager
def open_for_export(option: Path | None, *, without_broken: bool) -> Iterator[SoundPart]:
    """Open the workspace, or only its sound rows.

    Args:
        option: The folder that the user named, None for the usual one.
        without_broken: Whether damaged rows are left out; else they are refused where they are met.

    Raises:
        UserError: There is no workspace, or it cannot be opened.
    """
    if without_broken:
        with open_sound_part(workspace_folder(option)) as part:
            yield part
    else:
        with opened(option) as workspace:
            yield SoundPart(workspace, ())


def print_left_out(part: SoundPart) -> None:
    """Tell which damaged rows an export is without."""
    if part.left_out:
        count = len(part.left_out)
        print_line(f"left out: {count_text(count, 'damaged row', 'damaged rows')}")
        print_table(("table", "row"), [(row.table, row.key) for row in part.left_out])


def tell_left_out(part: SoundPart) -> dict[str, object]:
    """Return which damaged rows an export is without, for JSON; {} where it is whole."""
    rows = [{"table": row.table, "row": row.key} for row in part.left_out]
    return {"left_out": rows} if rows else {}


def print_blind(blind: BlindAnswers) -> None:
    """Tell how many verdicts an export is without, as whoever exports still answers blind."""
    if blind.left_out:
        count = count_text(blind.left_out, "verdict", "verdicts")
        print_line(f"left out: {count} of others on what {blind.name} still answers blind")


def tell_blind(blind: BlindAnswers) -> dict[str, object]:
    """Return how many verdicts an export is without, for JSON; {} where it is whole."""
    return {"blind": blind.left_out} if blind.left_out else {}
