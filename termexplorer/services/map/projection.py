"""Maps of names: made in the background, kept, and there at once when they are asked for again."""

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from textwrap import shorten
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.services.files.making_room import locate_files, remove_files
from termexplorer.services.map.choice import chosen_names
from termexplorer.store.encoders import projections as queries
from termexplorer.store.encoders.projections import ProjectionInfo, ProjectionKey
from termexplorer.store.kept_paths import locate_kept
from termexplorer.texts import tr
from termexplorer.trainer.files.folders import sha256
from termexplorer.trainer.projection import METHODS, MapQuality, Method, method_of
from termexplorer.workers.map.messages import (
    NAMES,
    MapMade,
    PointsChosen,
    PointsMoved,
    Projecting,
    ProjectionRequest,
    parameters_key,
)
from termexplorer.workers.map.projection import run_projection
from termexplorer.workers.process.sound_files import is_sound
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workers.process.trainer_texts import translate_error
from termexplorer.workspace import Workspace

__all__ = [
    "METHODS",
    "NAMES",
    "MapLabel",
    "MapQuality",
    "NameMap",
    "PointsChosen",
    "PointsMoved",
    "ProjectionRequest",
    "first_request",
    "parameters_of",
    "project",
    "stopped_map",
    "stored_map",
    "was_stopped",
]

_LONGEST = 60  # letters of a name on a map
_POINT = np.dtype([("name_id", np.int64), ("x", np.float32), ("y", np.float32)])


@dataclass(frozen=True, slots=True)
class MapLabel:
    """What is written on a map at a cluster of its points.

    Attributes:
        point: the number of the point at which it stands.
        size: how many points the cluster has.
        text: the name that has most of what its names have in common, cut where it is long.
    """

    point: int
    size: int
    text: str


def _label_text(cluster: Mapping[str, Any]) -> str:
    """Return what a cluster is called: by a name, which maps of an earlier version have not."""
    name = str(cluster.get("name", ""))
    return shorten(name, _LONGEST, placeholder=" …") if name else " ".join(cluster["words"])


@dataclass(frozen=True, eq=False)
class NameMap:
    """A map that is kept.

    Attributes:
        info: what it was made of, and what was measured.
        name_ids: (n,) int64.
        positions: (n, 2) float32.
    """

    info: ProjectionInfo
    name_ids: NDArray[np.int64]
    positions: NDArray[np.float32]

    def same_as(self, other: "NameMap") -> bool:
        """Whether both are one map, of whose card more may be known."""
        return self.info.content_hash == other.info.content_hash

    @property
    def quality(self) -> MapQuality:
        """How true it is to the vectors."""
        return MapQuality(**self.info.card["quality"])

    @property
    def labels(self) -> tuple[MapLabel, ...] | None:
        """Those of clusters, the largest first; None while they were not looked for."""
        clusters = self.info.card.get("labels")
        if clusters is None:
            return None
        return tuple(MapLabel(it["point"], it["size"], _label_text(it)) for it in clusters)

    @property
    def left_out(self) -> int:
        """Names that were asked for, but of which the encoder knows nothing."""
        return int(self.info.card["left_out"])


def project(
    workspace: Workspace,
    request: ProjectionRequest,
    control: JobControl,
    on_message: Callable[[object], None],
) -> NameMap:
    """The map that is kept, or a new one; blocks until it is there.

    One that starts from another is made after that, which is made too if need be.

    Args:
        workspace: where it is kept.
        request: what it is of.
        control: pauses, stops (t-SNE keeps the positions that it has) or cancels it (nothing is
            kept). PCA and UMAP cannot pause or stop half-way; cancel ends them too.
        on_message: is handed `Progress`, once `PointsChosen`, and `PointsMoved` ten times a second
            at the most.

    Raises:
        UserError: there is no such method, encoder or root, or nothing to lay out.
        Cancelled: it was cancelled.
    """
    stored = stored_map(workspace, request)
    if stored is not None:
        return stored
    work = Projecting(request)
    if request.after is not None:
        first = project(workspace, first_request(request), control, on_message)
        work = Projecting(request, first.name_ids, first.positions)
    projected: MapMade = supervise(run_projection, work, control, on_message)
    key = _make_key(workspace, request, projected.iterations)
    return _keep_map(workspace, request.release_id, key, projected)


def first_request(request: ProjectionRequest) -> ProjectionRequest:
    """The map that another one starts from."""
    return replace(request, encoder_id=request.after or request.encoder_id, after=None)


def stored_map(workspace: Workspace, request: ProjectionRequest) -> NameMap | None:
    """The map that was made of the same before, with its positions as they were; or None.

    Raises:
        UserError: there is no such method, encoder or root, or the encoder has no vectors.
    """
    encoder = find_encoder(workspace, request.encoder_id)
    if not encoder.has_vectors:
        raise UserError(
            tr(
                "{encoder} is {kind}: it has no vectors to lay out; choose an encoder that has, "
                "see `termexplorer encoder list`",
                encoder=encoder.label,
                kind=encoder.kind,
            )
        )
    key = _make_key(workspace, request)
    with workspace.store.reading() as connection:
        info = queries.projection(connection, key)
    return None if info is None else _read_map(workspace, info)


def stopped_map(workspace: Workspace, request: ProjectionRequest) -> NameMap | None:
    """The map of the same that went farthest of those that were stopped on the way; or None.

    Raises:
        UserError: as `stored_map`.
    """
    key = _make_key(workspace, request)
    asked = json.loads(key.parameters)
    with workspace.store.reading() as connection:
        projections = queries.projections_by(connection, key)
    fitting: dict[int, ProjectionInfo] = {}
    for info in projections:
        gone = json.loads(info.key.parameters)
        iterations = gone.get("iterations", 0)
        if (
            0 < iterations < asked["iterations"]
            and gone | {"iterations": asked["iterations"]} == asked
        ):
            fitting[iterations] = info
    return _read_map(workspace, fitting[max(fitting)]) if fitting else None


def was_stopped(name_map: NameMap, request: ProjectionRequest) -> bool:
    """Whether a map did not come as far as it was asked to."""
    return name_map.info.key.parameters != parameters_key(
        _method_of_request(request), after=request.after
    )


def _make_key(
    workspace: Workspace, request: ProjectionRequest, iterations: int | None = None
) -> ProjectionKey:
    return ProjectionKey(
        encoder_id=request.encoder_id,
        names_hash=chosen_names(workspace, request).hash,
        method=request.method,
        parameters=parameters_key(_method_of_request(request), iterations, request.after),
        seed=request.seed,
    )


def parameters_of(method: str) -> dict[str, object]:
    """Return the parameters of a method, as they usually are."""
    return asdict(method_of(method, {}))


def _method_of_request(request: ProjectionRequest) -> Method:
    try:
        return method_of(request.method, dict(request.parameters))
    except ValueError as error:
        raise UserError(translate_error(error)) from error


def _read_map(workspace: Workspace, info: ProjectionInfo) -> NameMap | None:
    """The positions of a map; None if their file is not what it was."""
    if not is_sound(workspace.folder, info):
        return None
    points = np.load(locate_kept(workspace.folder, info.path), allow_pickle=False)
    return NameMap(info, points["name_id"], np.stack((points["x"], points["y"]), axis=1))


def _keep_map(
    workspace: Workspace, release_id: int, key: ProjectionKey, projected: MapMade
) -> NameMap:
    points = np.empty(len(projected.name_ids), _POINT)
    points["name_id"] = projected.name_ids
    points["x"], points["y"] = projected.positions.T
    path = f"maps/{key.encoder_id}-{release_id}-{secrets.token_hex(8)}.npy"
    with atomic_write(workspace.folder / path) as fresh, fresh.open("wb") as file:
        np.save(file, points, allow_pickle=False)
    info = ProjectionInfo(
        key=key,
        release_id=release_id,
        path=path,
        content_hash=sha256(workspace.folder / path),
        points=len(points),
        card=projected.card,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    try:
        with workspace.store.writing() as connection:
            before = queries.projection(connection, key)
            replaced = locate_files(workspace, [before.path] if before else [])
            queries.put_projection(connection, info)
    except BaseException:
        remove_files([workspace.folder / path])
        raise
    remove_files(replaced)
    stored_info = replace(info, title=before.title if before else "")
    return NameMap(stored_info, projected.name_ids, projected.positions)
