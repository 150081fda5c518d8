"""The check of new terms, and the carry-over of mappings, in a child process behind a window."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from termexplorer.services.check.carried_lists import keep_carried
from termexplorer.services.check.carry_over import CARRY_STEPS, CarryOver, carry_over
from termexplorer.services.check.gate import CheckSettings, GateReport, run_gate
from termexplorer.services.curate.suggestion_lists import KeptSearch
from termexplorer.texts import mark, translated
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

FAIL_AT = 0.8
"""The probability from which on a finding is grave, unless told otherwise."""
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
    fail_at: float = FAIL_AT
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
    begin = _tell_steps(_STEPS, channel)
    with ExitStack() as stack:

        def open_workspace() -> Workspace:
            return stack.enter_context(closing(Workspace(request.folder)))

        return run_gate(
            request.new, request.known, open_workspace, request.settings, request.fail_at, begin
        )


@dataclass(frozen=True, slots=True)
class CarryRequest:
    """What is carried over.

    Attributes:
        folder: of the workspace.
        mappings: a path, or the id of a list there.
        older: the release that they are on: a path, or the id of one there.
        newer: the newer one, likewise.
    """

    folder: Path
    mappings: str
    older: str
    newer: str


def carry_apart(
    workspace: Workspace,
    request: CarryRequest,
    control: JobControl,
    on_message: Callable[[object], None],
) -> KeptSearch:
    """Carry mappings over in a child, and keep them for review.

    Raises:
        UserError: something cannot be read, or no mapping has a term of the older release.
        Cancelled: it was cancelled.
    """
    carried: CarryOver = supervise(_carry_in_child, request, control, on_message)
    return keep_carried(workspace, carried)


def _carry_in_child(request: CarryRequest, channel: Channel) -> CarryOver:
    with ExitStack() as stack:

        def open_workspace() -> Workspace:
            return stack.enter_context(closing(Workspace(request.folder)))

        begin = _tell_steps(CARRY_STEPS, channel)
        return carry_over(request.mappings, request.older, request.newer, open_workspace, begin)


def _tell_steps(steps: Mapping[str, str], channel: Channel) -> Callable[[str], None]:
    """Return what tells a window of steps when they begin."""
    order = list(steps)

    def begin(step: str) -> None:
        channel.progress(order.index(step) / len(order), translated(steps[step]))

    return begin
