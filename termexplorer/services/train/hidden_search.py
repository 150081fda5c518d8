"""A search for the number of hidden units: one run after the other, until validation declines."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from termexplorer.errors import UserError
from termexplorer.services.recipes.presets import hyperparameters
from termexplorer.services.recipes.run_requests import RunRequest, add_run
from termexplorer.services.train.runs import find_run, note_run, run_details
from termexplorer.store.kept_messages import join_messages
from termexplorer.store.title_templates import HIDDEN_UNITS
from termexplorer.texts import tr
from termexplorer.trainer.errors import Message
from termexplorer.trainer.training.sizes import LARGEST, SMALLEST, best_size, next_hidden
from termexplorer.workers.process.trainer_texts import translate_error
from termexplorer.workspace import Workspace

__all__ = [
    "LARGEST",
    "SMALLEST",
    "Tried",
    "add_sized_run",
    "best_run",
    "check_search",
    "choose_next_size",
    "size_request",
    "tried",
]

_HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Tried:
    """One run of a search.

    Attributes:
        hidden: its hidden units.
        figure: the best validation figure of its epochs; None before its first epoch is over.
        higher_is_better: of two such figures.
    """

    run: int
    hidden: int
    figure: float | None
    higher_is_better: bool


def check_search(request: RunRequest, largest: int) -> None:
    """Refuse a search that cannot be made.

    Raises:
        UserError: the recipe has no hidden units, the request says how many, or the largest
            number leaves nothing to try.
    """
    if _HIDDEN not in hyperparameters(request.recipe, request.preset, request.hyperparameters):
        raise UserError(
            tr("{recipe} has no hidden units to search the number of", recipe=request.recipe)
        )
    if _HIDDEN in request.hyperparameters:
        raise UserError(tr("the search chooses {name} itself; leave it out", name=_HIDDEN))
    choose_next_size((), largest)


def choose_next_size(done: Sequence[Tried], largest: int) -> int | None:
    """Return the number of hidden units after those that were tried; None where it is over.

    Raises:
        UserError: the largest number leaves nothing to try.
    """
    try:
        return next_hidden(
            _figures_of(done), higher_is_better=_higher_is_better(done), largest=largest
        )
    except ValueError as error:
        raise UserError(translate_error(error)) from error


def size_request(request: RunRequest, hidden: int) -> RunRequest:
    """Return a request with a number of hidden units."""
    return replace(request, hyperparameters={**request.hyperparameters, _HIDDEN: hidden})


def add_sized_run(workspace: Workspace, request: RunRequest, hidden: int) -> int:
    """Add a run that waits to be trained with a number of hidden units; return its id."""
    run_id = add_run(workspace, size_request(request, hidden))
    title = join_messages([find_run(workspace, run_id).title, Message(HIDDEN_UNITS, n=hidden)])
    note_run(workspace, run_id, title=title, notes="")
    return run_id


def tried(workspace: Workspace, runs: Sequence[int]) -> list[Tried]:
    """What the runs of a search came to, in their order."""
    return [_tried_size(workspace, run_id) for run_id in runs]


def best_run(done: Sequence[Tried]) -> Tried:
    """The run of the best figure; of equal ones the smallest.

    Raises:
        UserError: no run came to one.
    """
    try:
        return done[best_size(_figures_of(done), higher_is_better=_higher_is_better(done))]
    except ValueError as error:
        raise UserError(translate_error(error)) from error


def _tried_size(workspace: Workspace, run_id: int) -> Tried:
    details = run_details(workspace, run_id)
    higher = bool(details.run.card.get("higher_is_better", True))
    figures = [epoch.validation for epoch in details.epochs]
    best = (max if higher else min)(figures, default=None)
    return Tried(run_id, details.run.request["hyperparameters"][_HIDDEN], best, higher)


def _figures_of(done: Sequence[Tried]) -> list[float]:
    return [float("nan") if trial.figure is None else trial.figure for trial in done]


def _higher_is_better(done: Sequence[Tried]) -> bool:
    return all(trial.higher_is_better for trial in done)
