"""What is written on a map: the words of its clusters, found once and kept with its card."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from termexplorer.exporters.label_places import Box, place_labels, whole_labels
from termexplorer.services.explore.release_texts import release_texts
from termexplorer.services.map.projection import NameMap
from termexplorer.store.encoders import projections as queries
from termexplorer.workers.map.labels import LabelsRequest, run_labels
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

__all__ = ["Box", "label_map", "place_labels", "whole_labels"]


def label_map(
    workspace: Workspace,
    found: NameMap,
    control: JobControl,
    on_message: Callable[[object], None],
) -> NameMap:
    """The same map with its labels: those that are kept, or new ones; blocks until they are there.

    Raises:
        Cancelled: it was cancelled.
    """
    if found.labels is not None:
        return found
    names = release_texts(workspace, found.info.release_id).names
    rows = np.searchsorted(names.ids, found.name_ids)
    texts = tuple(names.texts[row] for row in rows.tolist())
    request = LabelsRequest(found.positions, texts, found.info.key.seed)
    made = supervise(run_labels, request, control, on_message)
    info = replace(found.info, card={**found.info.card, "labels": made})
    with workspace.store.writing() as connection:
        queries.put_card(connection, info)
    return replace(found, info=info)
