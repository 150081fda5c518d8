"""Maps on show: those that are there, and the one that moves among them."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from termexplorer.services.map.aligned_maps import AlignedMap, AlignedMaps, Float32s
from termexplorer.services.map.colours import MapColours
from termexplorer.services.map.points import MapPoints
from termexplorer.services.map.projection import MapLabel, NameMap, ProjectionRequest, was_stopped
from termexplorer.texts import tr


@dataclass(frozen=True, eq=False)
class Moving:
    """A map that is being made.

    Attributes:
        request: what was asked for.
        name_ids: (m,) int64 its names, in rising order.
        positions: (m, 2) float32 where they are by now; None while they are nowhere.
    """

    request: ProjectionRequest
    name_ids: NDArray[np.int64]
    positions: Float32s | None


@dataclass(frozen=True, eq=False)
class Laid:
    """Where the points on show are by now on the map that moves.

    Attributes:
        name_ids: (n,) int64 those of the points.
        number: of the map.
        positions: (n, 2) float32, laid over the first map if it is another.
        facts: how unlike the first it is.
    """

    name_ids: NDArray[np.int64]
    number: int
    positions: Float32s
    facts: str


@dataclass(frozen=True, eq=False)
class Shown:
    """The n points of one to four maps, and what they are.

    Attributes:
        requests: of all maps that are to be side by side.
        name_ids: (n,) int64 names on all maps that are there or move.
        points: what they are.
        colours: of the points, and what they stand for.
        folded: the names as searches compare them.
        concepts: how many.
        aligned: the maps that are there, the first among them; None while that one is made.
        moving: the map that is being made, once it is known which names are on it.
        laid: where its points were when this was read.
    """

    requests: tuple[ProjectionRequest, ...]
    name_ids: NDArray[np.int64]
    points: MapPoints
    colours: MapColours
    folded: tuple[str, ...]
    concepts: int
    aligned: AlignedMaps | None
    moving: Moving | None = None
    laid: Laid | None = None

    @property
    def request(self) -> ProjectionRequest:
        """That of the first map."""
        return self.requests[0]

    @property
    def maps(self) -> tuple[NameMap, ...]:
        """The maps that are there."""
        return (
            tuple(aligned_map.name_map for aligned_map in self.aligned.maps) if self.aligned else ()
        )

    @property
    def whole(self) -> bool:
        """Whether there is no more to be drawn."""
        return all(self.has(request) for request in self.requests)

    @property
    def labels(self) -> list[tuple[MapLabel, ...]]:
        """What is written on each map that is to be side by side."""
        own_maps = [self.own(request) for request in self.requests]
        return [own_map.labels or () if own_map else () for own_map in own_maps]

    def own(self, request: ProjectionRequest) -> AlignedMap | None:
        """The map that was made for a request, if it is there."""
        maps = self.aligned.maps if self.aligned else ()
        encoder_id = request.encoder_id
        return next((it for it in maps if it.name_map.info.key.encoder_id == encoder_id), None)

    def has(self, request: ProjectionRequest) -> bool:
        """Whether a map is there to its end."""
        own_map = self.own(request)
        return own_map is not None and not was_stopped(own_map.name_map, request)

    def with_labels(self, name_map: NameMap) -> "Shown":
        """The same with the labels of one of its maps."""
        return replace(self, aligned=self.aligned.with_labels(name_map) if self.aligned else None)

    def lay(self, moving: Moving) -> Laid | None:
        """Where the points are on the map that moves; None while they are nowhere.

        Up to 111,000 points take about 10 ms: too long for the thread of the window.
        """
        positions, facts = moving.positions, ""
        if positions is None:
            return None
        if self.aligned is not None:
            try:
                positions, disparity = self.aligned.lay(moving.name_ids, positions)
            except ValueError:  # for a moment all are in one place
                return None
            facts = tr("disparity {disparity:.2f} so far", disparity=disparity)
        return Laid(self.name_ids, self.requests.index(moving.request), positions, facts)
