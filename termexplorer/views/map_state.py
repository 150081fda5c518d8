"""What the Map page reads of the workspace, in the background."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from termexplorer.services.aligned_maps import AlignedMaps, align_maps
from termexplorer.services.concept_lists import ListInfo, concept_lists
from termexplorer.services.encoders import EncoderInfo, list_encoders
from termexplorer.services.map_choice import PointCount, count_points
from termexplorer.services.map_colours import Colouring, Colours, colours_for
from termexplorer.services.map_points import (
    MapPoints,
    levels_below,
    points_of_names,
)
from termexplorer.services.ontologies import Ontology, list_ontologies
from termexplorer.services.projection import (
    MapLabel,
    NameMap,
    ProjectionRequest,
    stopped_map,
    stored_map,
    was_stopped,
)
from termexplorer.workers.supervision import Control
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
        colours: of the points, and what they stand for.
        folded: the names without regard to case, for a search.
        concepts: how many.
        requests: of all maps that are to be side by side, the first among them.
        aligned: all of them, when they are all there.
    """

    request: ProjectionRequest
    found: NameMap | None
    points: MapPoints
    colours: Colours
    folded: tuple[str, ...]
    concepts: int
    requests: tuple[ProjectionRequest, ...]
    aligned: AlignedMaps | None = None

    @property
    def whole(self) -> bool:
        """Whether there is no more to be drawn."""
        return all(self.has(request) for request in self.requests)

    @property
    def maps(self) -> tuple[NameMap, ...]:
        """The maps on show; none while the first is made."""
        if self.aligned is not None:
            return tuple(each.found for each in self.aligned.maps)
        return () if self.found is None else (self.found,)

    @property
    def labels(self) -> list[tuple[MapLabel, ...] | None]:
        """What is written on each map on show."""
        return [each.labels for each in (self.aligned.maps if self.aligned else self.maps)]

    def has(self, request: ProjectionRequest) -> bool:
        """Whether a map is there to its end."""
        encoder_id = request.encoder_id
        found = next((each for each in self.maps if each.info.key.encoder_id == encoder_id), None)
        return found is not None and not was_stopped(found, request)

    def with_labels(self, found: NameMap) -> "Shown":
        """The same with the labels of one of its maps."""
        maps = [found if each.same_as(found) else each for each in self.maps]
        if self.aligned is not None:
            return replace(self, found=maps[0], aligned=align_maps(maps))
        return replace(self, found=maps[0] if maps else self.found)


def read_state(workspace: Workspace) -> State:
    """Encoders that have vectors, and ontologies."""
    encoders = tuple(each for each in list_encoders(workspace) if each.has_vectors)
    return State(encoders, tuple(list_ontologies(workspace)), tuple(concept_lists(workspace)))


def read_choice(workspace: Workspace, request: ProjectionRequest) -> tuple[int, PointCount]:
    """How many levels are below the root of a request, and how many names it is for."""
    levels = levels_below(workspace, request.release_id, request.root)
    return levels, count_points(workspace, request)


def read_stored(
    workspace: Workspace,
    requests: Sequence[ProjectionRequest],
    colouring: Colouring,
    control: Control,
) -> Shown | None:
    """Maps that are kept, whole or as far as they came; the first if not all are there, or None."""
    maps = [stored_map(workspace, each) or stopped_map(workspace, each) for each in requests]
    first, there = maps[0], [each for each in maps if each is not None]
    if first is None:
        return None
    aligned = align_maps(there) if len(there) == len(maps) > 1 else None
    ids = first.name_ids if aligned is None else aligned.name_ids
    shown = read_shown(workspace, requests[0], colouring, ids, control, first)
    return replace(shown, requests=tuple(requests), aligned=aligned)


def read_shown(
    workspace: Workspace,
    request: ProjectionRequest,
    colouring: Colouring,
    name_ids: NDArray[np.int64],
    control: Control,
    found: NameMap | None = None,
) -> Shown:
    """The points of a map that is there or is made."""
    points = points_of_names(workspace, request.release_id, name_ids, request.root, colouring.level)
    return Shown(
        request,
        found,
        points,
        colours_for(workspace, request, colouring, points, name_ids, control),
        tuple(name.casefold() for name in points.names),
        len(np.unique(points.concept_ids)),
        (request,),
    )
