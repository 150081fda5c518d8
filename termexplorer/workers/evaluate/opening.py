"""What every job that has encoders compare names opens first, and closes at its end."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from termexplorer.store.database.engine import Store
from termexplorer.texts import tr
from termexplorer.workers.encoders.keeping_encoders import CachedEncoders
from termexplorer.workers.evaluate.scoring import check_encoders
from termexplorer.workers.evaluate.steps import EvaluationSteps
from termexplorer.workers.process.child import Channel, trainer_errors
from termexplorer.workspace import Workspace


class Opened(NamedTuple):
    """A workspace in which encoders are asked, and what tells how far that is."""

    store: Store
    encoders: CachedEncoders
    steps: EvaluationSteps


@contextmanager
def opened(folder: Path, encoder_ids: Sequence[int], channel: Channel) -> Iterator[Opened]:
    """Opens a workspace for encoders; names are read next.

    Raises:
        UserError: an encoder is not there or named twice, or the trainer refuses what it is given.
    """
    workspace = Workspace(folder)
    try:
        steps = EvaluationSteps(channel)
        encoders = CachedEncoders(workspace.folder, workspace.store, steps.encoding)
        check_encoders(encoders, encoder_ids)
        steps.say(tr("Reading names"))
        with trainer_errors():
            yield Opened(workspace.store, encoders, steps)
    finally:
        workspace.close()
