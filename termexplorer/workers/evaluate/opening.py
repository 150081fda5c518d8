"""What every job that has encoders compare names opens first, and closes at its end."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from termexplorer.store.database.engine import Store
from termexplorer.texts import tr
from termexplorer.workers.encoders.keeping_encoders import CachedEncoders
from termexplorer.workers.encoders.rounded_names import store_large_vectors
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
def opened(
    folder: Path,
    encoder_ids: Sequence[int],
    channel: Channel,
    release_ids: Sequence[int] = (),
) -> Iterator[Opened]:
    """Opens a workspace for encoders; names are read next.

    Args:
        folder: of the workspace.
        encoder_ids: which encoders.
        channel: is told of progress.
        release_ids: whose names are compared; vectors too large for memory are written to the disk.

    Raises:
        UserError: an encoder is not there or named twice, or the trainer refuses what it is given.
    """
    workspace = Workspace(folder)
    try:
        steps = EvaluationSteps(channel)
        encoders = CachedEncoders(workspace.folder, workspace.store, steps.encoding)
        check_encoders(encoders, encoder_ids)
        with trainer_errors():
            for release_id in release_ids:
                store_large_vectors(workspace, encoder_ids, release_id, channel)
        steps.say(tr("Reading names"))
        with trainer_errors():
            yield Opened(workspace.store, encoders, steps)
    finally:
        workspace.close()
