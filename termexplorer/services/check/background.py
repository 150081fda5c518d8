"""The check of new terms in a child process, behind a window."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from termexplorer.services.check.gate import CheckSettings, GateReport, run_gate
from termexplorer.texts import mark, translated
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

_STEPS = {
    "facts": mark("Looking at names, parents and ids"),
    "duplicates": mark("Looking for duplicates"),
    "parents": mark("Looking for doubtful parents"),
    "definitions": mark("Looking for doubtful definitions"),
}


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """What is checked.

    Attributes:
        folder: of the workspace.
        new: a path, or the id of a release there.
        known: what the terms are new against, likewise.
        fail_at: the probability from which on a finding is grave.
        settings: how it is checked.
    """

    folder: Path
    new: str
    known: str
    fail_at: float = 0.8
    settings: CheckSettings = CheckSettings()  # noqa: RUF009 - frozen


def check_apart(
    request: CheckRequest, control: JobControl, on_message: Callable[[object], None]
) -> GateReport:
    """Check new terms in a child.

    Args:
        request: what is checked.
        control: to cancel it by.
        on_message: is told of progress.

    Raises:
        UserError: one of the two cannot be read, or too few terms are known to learn from.
        Cancelled: it was cancelled.
    """
    report: GateReport = supervise(_check_in_child, request, control, on_message)
    return report


def _check_in_child(request: CheckRequest, channel: Channel) -> GateReport:
    steps = list(_STEPS)

    def begin(step: str) -> None:
        channel.progress(steps.index(step) / len(steps), translated(_STEPS[step]))

    with ExitStack() as stack:

        def open_workspace() -> Workspace:
            return stack.enter_context(closing(Workspace(request.folder)))

        return run_gate(
            request.new, request.known, open_workspace, request.settings, request.fail_at, begin
        )
