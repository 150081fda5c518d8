"""The child that finds what to write on a map: its clusters, and the words of their names."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.texts import tr
from termexplorer.workers.process.child import Channel, trainer_errors


@dataclass(frozen=True, eq=False)
class LabelsRequest:
    """A map to be labelled.

    Attributes:
        positions: (n, 2) float32.
        names: n of them.
        seed: of a sample, where there are very many.
    """

    positions: NDArray[np.float32]
    names: tuple[str, ...]
    seed: int


def run_labels(request: LabelsRequest, channel: Channel) -> list[dict[str, Any]]:
    """Finds the clusters, the largest first: for each a point, its size and words."""
    from termexplorer.trainer.projection.clusters import describe

    channel.progress(None, tr("Finding clusters and their words"))
    with trainer_errors():
        clusters = describe(request.positions, request.names, request.seed)
    return [asdict(cluster) for cluster in clusters]
