"""Maps of the same names by several encoders, laid over each other: what moved, and how far."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.services.map.projection import MapLabel, NameMap, ProjectionRequest
from termexplorer.store.encoders.infos import check_distinct
from termexplorer.texts import tr
from termexplorer.trainer.projection.alignment import distances, procrustes
from termexplorer.workers.process.trainer_texts import translate_error

MOST_MAPS = 4
MOST_ARROWS = 50  # names that moved most
_FEWEST = 3
_WITH_START = ("tsne", "umap")

Float32s = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class AlignedMap:
    """One of several maps, as far as it is of the names that all of them have.

    Attributes:
        name_map: the map as it was made; its figures are of all its names.
        positions: (n, 2) float32, laid over the first map.
        disparity: 0 where it is like the first, up to 1.
        moved: (n,) how far names are from where they are on the first map; 1 is how far its names
            are from its middle (root mean square).
        labels: of its clusters, at points of the n.
    """

    name_map: NameMap
    positions: Float32s
    disparity: float
    moved: NDArray[np.float64]
    labels: tuple[MapLabel, ...] | None


@dataclass(frozen=True, eq=False)
class AlignedMaps:
    """One to four maps; the first is as it was made.

    Attributes:
        name_ids: (n,) int64 names that are on all of them.
        maps: in the order in which they were asked for.
    """

    name_ids: NDArray[np.int64]
    maps: tuple[AlignedMap, ...]

    @property
    def left_out(self) -> int:
        """Names of the first map that are not on all."""
        return len(self.maps[0].name_map.name_ids) - len(self.name_ids)

    def arrows(self, number: int, most: int = MOST_ARROWS) -> Float32s:
        """(m, 2, 2) from where names are on the first map to where they are: those moved most."""
        aligned_map = self.maps[number]
        order = np.argsort(-aligned_map.moved, kind="stable")[:most]
        order = order[aligned_map.moved[order] > 0]
        return np.stack((self.maps[0].positions[order], aligned_map.positions[order]), axis=1)

    def lay(self, name_ids: NDArray[np.int64], positions: Float32s) -> tuple[Float32s, float]:
        """Lays a map that is still made over the first, as it will be when it is done.

        Args:
            name_ids: (m,) int64 its names, in rising order; all n of these maps are among them.
            positions: (m, 2) float32 where they are by now.

        Returns:
            Where the n names are, (n, 2) float32, and the disparity.

        Raises:
            ValueError: all its names are in one place.
        """
        return _lay_over_reference(name_ids, positions, self.name_ids, self.maps[0].positions)

    def with_labels(self, name_map: NameMap) -> "AlignedMaps":
        """The same with the labels that were found of one of the maps."""
        labels = _labels_at_common(name_map, self.name_ids)
        maps = (
            replace(aligned_map, name_map=name_map, labels=labels)
            if aligned_map.name_map.same_as(name_map)
            else aligned_map
            for aligned_map in self.maps
        )
        return replace(self, maps=tuple(maps))


def requests_for(request: ProjectionRequest, encoder_ids: Sequence[int]) -> list[ProjectionRequest]:
    """What is asked for of each encoder: the others start from the first, where they can.

    Raises:
        UserError: an encoder is named twice, or there are too many.
    """
    first, *other_ids = encoder_ids
    check_distinct(encoder_ids)
    if len(encoder_ids) > MOST_MAPS:
        raise UserError(
            tr(
                "{count} maps side by side cannot be read; name {most} encoders or fewer",
                count=len(encoder_ids),
                most=MOST_MAPS,
            )
        )
    after = first if request.method in _WITH_START else None
    rest = [replace(request, encoder_id=encoder_id, after=after) for encoder_id in other_ids]
    return [replace(request, encoder_id=first), *rest]


def align_maps(maps: Sequence[NameMap], known: NDArray[np.int64] | None = None) -> AlignedMaps:
    """Lays maps over the first of them.

    Args:
        maps: one or more.
        known: (m,) int64 names of a map that is still made; only these are taken.

    Raises:
        UserError: they have too few names in common, or all names of one are in one place.
    """
    first, *other_maps = maps
    common = first.name_ids
    for ids in (*(other.name_ids for other in other_maps), *([] if known is None else [known])):
        common = np.intersect1d(common, ids, assume_unique=True)
    if len(common) < _FEWEST:
        raise UserError(
            tr(
                "the encoders know {n} names in common, too few to lay maps over each other; "
                "choose more names or other encoders",
                n=len(common),
            )
        )
    reference = first.positions[np.searchsorted(first.name_ids, common)]
    try:
        aligned = [_align_map(name_map, common, reference) for name_map in other_maps]
    except ValueError as error:
        raise UserError(translate_error(error)) from error
    unmoved = AlignedMap(
        first, reference, 0.0, np.zeros(len(common)), _labels_at_common(first, common)
    )
    return AlignedMaps(common, (unmoved, *aligned))


def _align_map(name_map: NameMap, common: NDArray[np.int64], reference: Float32s) -> AlignedMap:
    positions, disparity = _lay_over_reference(
        name_map.name_ids, name_map.positions, common, reference
    )
    moved = distances(positions, reference)
    return AlignedMap(name_map, positions, disparity, moved, _labels_at_common(name_map, common))


def _lay_over_reference(
    name_ids: NDArray[np.int64],
    positions: Float32s,
    common: NDArray[np.int64],
    reference: Float32s,
) -> tuple[Float32s, float]:
    common_positions = positions[np.searchsorted(name_ids, common)]
    fit = procrustes(common_positions, reference)
    return fit.apply(common_positions), fit.disparity


def _labels_at_common(name_map: NameMap, common: NDArray[np.int64]) -> tuple[MapLabel, ...] | None:
    """Those at names that all maps have, by their places among these."""
    if name_map.labels is None:
        return None
    index_by_name = {name: number for number, name in enumerate(common.tolist())}
    named = [
        (index_by_name.get(int(name_map.name_ids[label.point])), label) for label in name_map.labels
    ]
    return tuple(replace(label, point=point) for point, label in named if point is not None)
