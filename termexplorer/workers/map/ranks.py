"""The child that reads what is kept of an encoder's rankings: how high the best right name was."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.texts import tr, translated
from termexplorer.workers.compare.messages import TASK_WORDS, ComparisonSubject
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.process.child import Channel, trainer_errors
from termexplorer.workers.ranking.release_data import ReleaseData
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class RanksRequest:
    """Whose ranks are read, on what; where none are kept below the root, those of all names."""

    workspace: Path
    subject: ComparisonSubject
    encoder_id: int


@dataclass(frozen=True, eq=False)
class BestRanks:
    """How high the best right name was.

    Attributes:
        name_ids: (m,) int64, rising.
        ranks: (m,) float64 from 1; NaN where nothing is right.
    """

    name_ids: NDArray[np.int64]
    ranks: NDArray[np.float64]


def run_best_ranks(request: RanksRequest, channel: Channel) -> BestRanks:
    """Reads ranks that are kept; computes none.

    Raises:
        UserError: none are kept, or the task has no names there.
    """
    from termexplorer.workers.compare.ranks import kept_ranks
    from termexplorer.workers.compare.subjects import subject_data

    workspace = Workspace(request.workspace)
    try:
        channel.progress(None, tr("Reading ranks"))
        encoders = Encoders(workspace.folder, workspace.store)
        title = encoders.info(request.encoder_id).label
        release = ReleaseData(
            workspace.folder, workspace.store, encoders, request.subject.ontology_id
        )
        for subject in dict.fromkeys((request.subject, replace(request.subject, root_id=None))):
            with trainer_errors():
                data = subject_data(workspace.store, release, subject)
            stored_ranks = kept_ranks(workspace, subject, request.encoder_id, data.data_hash)
            if stored_ranks is not None:
                return BestRanks(
                    release.names.ids[data.mentions], np.array(stored_ranks[1]["best"])
                )
        raise UserError(_not_ranked(subject, title))
    finally:
        workspace.close()


def _not_ranked(subject: ComparisonSubject, title: str) -> str:
    if subject.task == "synonyms":
        return tr(
            "{title} has not ranked synonyms here yet: compare it with another encoder first "
            "(Compare, Ctrl+5, or `termexplorer compare`)",
            title=title,
        )
    return tr(
        "{title} has not ranked {task} on level {level} here yet: compare it with another encoder "
        "first (Compare, Ctrl+5, or `termexplorer compare`)",
        title=title,
        task=translated(TASK_WORDS[subject.task]),
        level=subject.level or 1,
    )
