"""The child that makes a map: vectors, positions as they move, then how true it is."""

import time
from collections.abc import Callable
from dataclasses import asdict
from importlib import metadata
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.store.kept_messages import translate_message
from termexplorer.texts import mark, tr, translated
from termexplorer.workers.encoders.encoding import Encoders, Float32s
from termexplorer.workers.map.messages import (
    ASKED,
    MapMade,
    PointsChosen,
    PointsMoved,
    Projecting,
    ProjectionRequest,
)
from termexplorer.workers.map.names import choice_text, map_names
from termexplorer.workers.process.child import Channel, trainer_errors
from termexplorer.workers.ranking.release_data import ReleaseData
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.trainer.projection import MapQuality, MapStep

_DRAWN_SECONDS = 0.1  # between positions that are sent: nobody sees more
_REST_SECONDS = 0.05
_NOTHING = mark("the map was stopped before there was anything to draw; nothing was kept")
_FEW = 200  # names asked for the quality of a map that was stopped
_LIBRARIES = {"pca": "scikit-learn", "tsne": "openTSNE", "umap": "umap-learn"}


def run_projection(given: Projecting, channel: Channel) -> MapMade:
    """Makes a map; reports `PointsChosen` and, of t-SNE, `PointsMoved` now and then.

    Raises:
        UserError: there is nothing to lay out, or it was stopped before it was; or the encoder
            has no vectors.
    """
    from termexplorer.trainer.projection import Tsne, Umap, method_of

    request = given.request
    workspace = Workspace(request.workspace)
    channel.progress(None, tr("Reading names"))
    name_ids, vectors, left_out = _known_vectors(workspace, request, channel)
    workspace.close()
    channel.report(PointsChosen(name_ids, left_out))
    started = time.monotonic()
    with trainer_errors():
        method = method_of(request.method, dict(request.parameters))
        try:
            if len(given.start) and isinstance(method, Tsne | Umap):
                start = _start_positions(given, name_ids)
                projection = method.project(vectors, request.seed, _make_watch(channel), start)
            else:
                projection = method.project(vectors, request.seed, _make_watch(channel))
        except InterruptedError as error:
            raise UserError(translated(_NOTHING)) from error
    seconds = time.monotonic() - started
    channel.progress(None, tr("Measuring the map's trustworthiness"))
    quality = _measure_quality(vectors, projection.positions, request.seed, channel)
    card = {
        "parameters": dict(projection.parameters),
        "facts": dict(projection.facts),
        "quality": asdict(quality),
        "left_out": left_out,
        "after": request.after,
        "asked": {name: getattr(request, name) for name in ASKED},
        "seconds": round(seconds, 3),
        "versions": {name: metadata.version(name) for name in (_LIBRARIES[request.method],)},
    }
    return MapMade(name_ids, projection.positions, projection.parameters.get("iterations"), card)


def _known_vectors(
    workspace: Workspace, request: ProjectionRequest, channel: Channel
) -> tuple[NDArray[np.int64], Float32s, int]:
    """Ids and vectors of the names that the encoder knows anything of, and how many it does not."""
    encoders = Encoders(workspace.folder, workspace.store)
    release = ReleaseData(workspace.folder, workspace.store, encoders, request.release_id)
    names = map_names(workspace.store, request, release.names)
    rows = np.searchsorted(release.names.ids, names.ids)
    vectors = release.vectors(request.encoder_id, channel)[rows]
    known = vectors.any(axis=1)
    left_out = int((~known).sum())
    if int(known.sum()) < 3:
        raise UserError(_too_few(request, int(known.sum()), left_out))
    return names.ids[known], vectors[known], left_out


def _too_few(request: ProjectionRequest, names: int, unknown: int) -> str:
    where = choice_text(request, tr("{root} and below", root=request.root)) or tr("this ontology")
    more = tr("; of {unknown:,} more the encoder knows nothing", unknown=unknown)
    return tr(
        "a map needs 3 names or more, there are {names} in {where}{more}; choose more",
        names=names,
        where=where,
        more=more if unknown else "",
    )


def _start_positions(given: Projecting, name_ids: NDArray[np.int64]) -> Float32s:
    """Where the names are on the map that it starts from; those that are not, in its middle."""
    start = np.tile(given.start.mean(axis=0), (len(name_ids), 1))
    has_start = np.isin(name_ids, given.start_ids)
    start[has_start] = given.start[np.searchsorted(given.start_ids, name_ids[has_start])]
    return start


def _make_watch(channel: Channel) -> "Callable[[MapStep], bool]":
    """Sends on where the points are, waits while the work rests, and says whether to go on."""
    sent = -np.inf

    def watch(step: "MapStep") -> bool:
        nonlocal sent
        now = time.monotonic()
        if now - sent >= _DRAWN_SECONDS:
            sent = now
            channel.progress(step.done, translate_message(step.text))
            if step.positions is not None and step.divergence is not None:
                channel.report(PointsMoved(step.iteration, step.divergence, step.positions))
        while channel.paused() and not channel.stopped():
            time.sleep(_REST_SECONDS)
        return not channel.stopped()

    return watch


def _measure_quality(
    vectors: Float32s, positions: Float32s, seed: int, channel: Channel
) -> "MapQuality":
    """Figures of a map; of fewer names where it was stopped, so that it is there at once."""
    from termexplorer.trainer.projection.quality import map_quality

    def tick() -> None:
        if channel.stopped():
            raise InterruptedError

    try:
        return map_quality(vectors, positions, seed, tick)
    except InterruptedError:
        return map_quality(vectors, positions, seed, exact=_FEW, sample=_FEW)
