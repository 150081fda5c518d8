"""What is written on a map: names of its clusters, found once and kept with its card."""

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
    name_map: NameMap,
    control: JobControl,
    on_message: Callable[[object], None],
) -> NameMap:
    """The same map with its labels: those that are kept, or new ones; blocks until they are there.

    Raises:
        Cancelled: it was cancelled.
    """
    if name_map.labels is not None:
        return name_map
    names = release_texts(workspace, name_map.info.release_id).names
    rows = np.searchsorted(names.ids, name_map.name_ids)
    texts = tuple(names.texts[row] for row in rows.tolist())
    request = LabelsRequest(name_map.positions, texts, name_map.info.key.seed)
    cluster_labels = supervise(run_labels, request, control, on_message)
    info = replace(name_map.info, card={**name_map.info.card, "labels": cluster_labels})
    with workspace.store.writing() as connection:
        queries.put_card(connection, info)
    return replace(name_map, info=info)
