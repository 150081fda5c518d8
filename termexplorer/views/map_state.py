"""What the Map page reads of the workspace, in the background."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from termexplorer.services.concept_lists import ListInfo, concept_lists
from termexplorer.services.encoders import EncoderInfo, list_encoders
from termexplorer.services.map_choice import PointCount, count_points
from termexplorer.services.map_points import (
    MapPoints,
    PointGroup,
    levels_below,
    point_groups,
    points_of_names,
)
from termexplorer.services.ontologies import Ontology, list_ontologies
from termexplorer.services.projection import (
    NameMap,
    ProjectionRequest,
    stopped_map,
    stored_map,
    was_stopped,
)
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class State:
    """What can be chosen from."""

    encoders: tuple[EncoderInfo, ...] = ()
    ontologies: tuple[Ontology, ...] = ()
    lists: tuple[ListInfo, ...] = ()


@dataclass(frozen=True, eq=False)
class Shown:
    """The points of a map, and what they are.

    Attributes:
        request: what it was asked for.
        found: the map; None while it is made.
        points: what is on it.
        groups: by class.
        folded: the names without regard to case, for a search.
        concepts: how many.
    """

    request: ProjectionRequest
    found: NameMap | None
    points: MapPoints
    groups: tuple[PointGroup, ...]
    folded: tuple[str, ...]
    concepts: int

    @property
    def whole(self) -> bool:
        """Whether there is no more to be drawn of it."""
        return self.found is not None and not was_stopped(self.found, self.request)


def read_state(workspace: Workspace) -> State:
    """Encoders that have vectors, and ontologies."""
    encoders = tuple(each for each in list_encoders(workspace) if each.has_vectors)
    return State(encoders, tuple(list_ontologies(workspace)), tuple(concept_lists(workspace)))


def read_choice(workspace: Workspace, request: ProjectionRequest) -> tuple[int, PointCount]:
    """How many levels are below the root of a request, and how many names it is for."""
    levels = levels_below(workspace, request.release_id, request.root)
    return levels, count_points(workspace, request)


def read_stored(
    workspace: Workspace, request: ProjectionRequest, level: int | None
) -> Shown | None:
    """A map that is kept, whole or as far as it came, with its points; None if there is none."""
    found = stored_map(workspace, request) or stopped_map(workspace, request)
    return None if found is None else read_shown(workspace, request, level, found.name_ids, found)


def read_shown(
    workspace: Workspace,
    request: ProjectionRequest,
    level: int | None,
    name_ids: NDArray[np.int64],
    found: NameMap | None = None,
) -> Shown:
    """The points of a map that is there or is made."""
    points = points_of_names(workspace, request.release_id, name_ids, request.root, level)
    return Shown(
        request,
        found,
        points,
        point_groups(points),
        tuple(name.casefold() for name in points.names),
        len(np.unique(points.concept_ids)),
    )
