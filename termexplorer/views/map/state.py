"""What the Map page reads of the workspace, in the background."""

from dataclasses import dataclass, replace

import numpy as np

from termexplorer.services.encoders.encoders import EncoderInfo, list_encoders
from termexplorer.services.explore.ontologies import Ontology, list_ontologies
from termexplorer.services.levels.concept_lists import ListInfo, concept_lists
from termexplorer.services.levels.default_level import LevelOffer, offer_levels
from termexplorer.services.map.aligned_maps import AlignedMaps, align_maps
from termexplorer.services.map.choice import PointCount, count_points
from termexplorer.services.map.colours import Colouring, colours_for
from termexplorer.services.map.kept_maps import KeptMap, list_maps
from termexplorer.services.map.points import points_of_names
from termexplorer.services.map.projection import ProjectionRequest, stopped_map, stored_map
from termexplorer.store.indexes.folding import fold_text
from termexplorer.views.map.shown import Moving, Shown
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class MapState:
    """What can be chosen from."""

    encoders: tuple[EncoderInfo, ...] = ()
    ontologies: tuple[Ontology, ...] = ()
    lists: tuple[ListInfo, ...] = ()
    maps: tuple[KeptMap, ...] = ()


def read_state(workspace: Workspace) -> MapState:
    """Encoders that have vectors, ontologies, and what is kept of them."""
    encoders = tuple(encoder for encoder in list_encoders(workspace) if encoder.has_vectors)
    return MapState(
        encoders,
        tuple(list_ontologies(workspace)),
        tuple(concept_lists(workspace)),
        tuple(list_maps(workspace)),
    )


def read_choice(workspace: Workspace, request: ProjectionRequest) -> tuple[LevelOffer, PointCount]:
    """Return the levels below the root of a request, and how many names it is for."""
    levels = offer_levels(workspace, request.release_id, request.root)
    return levels, count_points(workspace, request)


def read_shown(
    workspace: Workspace,
    requests: tuple[ProjectionRequest, ...],
    colouring: Colouring,
    control: JobControl,
    moving: Moving | None,
) -> Shown | None:
    """Maps that are kept, whole or as far as they came, and one that is made; None without a first.

    Raises:
        UserError: they cannot be laid over each other, or coloured so.
    """
    aligned = None
    if moving is None or moving.request != requests[0]:
        fixed = [request for request in requests if moving is None or request != moving.request]
        first, *other_maps = (
            stored_map(workspace, request) or stopped_map(workspace, request) for request in fixed
        )
        if first is None:
            return None
        maps = [first, *(name_map for name_map in other_maps if name_map is not None)]
        aligned = align_maps(maps, moving.name_ids if moving else None)
    shown = _read_shown(workspace, requests, colouring, control, aligned, moving)
    return replace(shown, laid=shown.lay(moving)) if moving else shown


def _read_shown(
    workspace: Workspace,
    requests: tuple[ProjectionRequest, ...],
    colouring: Colouring,
    control: JobControl,
    aligned: AlignedMaps | None,
    moving: Moving | None,
) -> Shown:
    request, known = requests[0], aligned or moving
    assert known is not None  # noqa: S101 - one of them is there
    ids = known.name_ids
    points = points_of_names(workspace, request.release_id, ids, request.root, colouring.level)
    return Shown(
        requests,
        ids,
        points,
        colours_for(workspace, request, colouring, points, ids, control),
        tuple(map(fold_text, points.names)),
        len(np.unique(points.concept_ids)),
        aligned,
        moving,
    )
