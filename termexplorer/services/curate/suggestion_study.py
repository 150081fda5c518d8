"""How well each finder finds what was made wrong in copies of an ontology, over several seeds."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean

from termexplorer.services.curate.found import FinderRequest, Trial
from termexplorer.services.curate.suggesting import FINDERS
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.files.exports import Cell
from termexplorer.trainer.evaluation.shares import ShareFigure
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

STUDY_HEADER = (
    "finder", "level", "encoders", "k", "precision", "low", "high", "n", "lowest", "highest",
    "copies", "chance", "chance low", "chance high", "chance n", "brier", "calibration error",
)  # fmt: skip
_WITHOUT_LEVEL = (("deeper", 1), ("names", 1), ("duplicates", 1))
_BETWEEN = 100  # seeds: the copies of one run have those that follow its own


@dataclass(frozen=True, slots=True)
class FinderStudyPlan:
    """What is studied.

    Attributes:
        ontology: the release that copies are made of.
        encoder_ids: each is tried alone, and all together.
        levels: on which misplaced concepts are looked for.
        seeds: how many times everything is done.
        root: CURIE of the concept to look below; empty for all.
        share: of what is made wrong in a copy.
    """

    ontology: Ontology
    encoder_ids: tuple[int, ...]
    levels: tuple[int, ...] = (1,)
    seeds: int = 3
    root: str = ""
    share: float = 0.02


@dataclass(frozen=True, slots=True)
class Studied:
    """One finder with some encoders.

    Attributes:
        finder: misplaced, deeper, names or duplicates.
        level: of misplaced concepts; None of the others.
        encoder_ids: what it finds by.
        trials: one for each seed.
    """

    finder: str
    level: int | None
    encoder_ids: tuple[int, ...]
    trials: tuple[Trial, ...]


def study_suggestions(
    workspace: Workspace,
    plan: FinderStudyPlan,
    control: JobControl,
    on_message: Callable[[object], None],
) -> Iterator[Studied]:
    """Tries every finder, with each encoder and with all, on copies that it did not learn from.

    Raises:
        UserError: something is not there, or the share is not above 0, or too large.
        Cancelled: it was cancelled.
    """
    ontology = plan.ontology
    for kind, level in (
        *(("misplaced", plan_level) for plan_level in plan.levels),
        *_WITHOUT_LEVEL,
    ):
        for encoder_ids in _encoder_sets(plan.encoder_ids):
            asked = FinderRequest(
                workspace.folder, ontology.id, encoder_ids, plan.root, level, plan.share
            )
            requests = [replace(asked, seed=_BETWEEN * number) for number in range(plan.seeds)]
            find = partial(FINDERS[kind].find, workspace, ontology)
            trials = [find(request, control, on_message).answer.trial for request in requests]
            shown = level if kind == "misplaced" else None
            yield Studied(kind, shown, encoder_ids, tuple(trials))


def study_rows(studied: Studied) -> list[list[Cell]]:
    """One finder under `STUDY_HEADER`: a row for each k, over the copies of all seeds."""
    trials = studied.trials
    about = [
        studied.finder,
        studied.level,
        " ".join(f"#{encoder_id}" for encoder_id in studied.encoder_ids),
    ]
    calibrated = [fmean(trial.calibration.brier for trial in trials)]
    calibrated.append(fmean(trial.calibration.error for trial in trials))
    chance = _pool_shares([trial.chance_figure for trial in trials])
    rows: list[list[Cell]] = []
    for k in sorted({k for trial in trials for k in trial.precision}):
        with_k = [trial for trial in trials if k in trial.precision]
        precisions = [value for trial in with_k for value in trial.precision[k]]
        precision = _pool_shares([trial.precision_figure(k) for trial in with_k])
        copies = [min(precisions), max(precisions), len(precisions)]
        rows.append([*about, k, *precision, *copies, *chance, *calibrated])
    return rows


def _pool_shares(figures: Sequence[ShareFigure]) -> list[float]:
    """Return the share of all items together, with its interval, and how many there are."""
    items = sum(figure.n for figure in figures)
    pooled = ShareFigure.of(sum(figure.value * figure.n for figure in figures), items)
    return [pooled.value, pooled.low, pooled.high, items]


def _encoder_sets(encoder_ids: Sequence[int]) -> list[tuple[int, ...]]:
    alone: list[tuple[int, ...]] = [(encoder_id,) for encoder_id in encoder_ids]
    return alone if len(alone) == 1 else [*alone, tuple(encoder_ids)]
