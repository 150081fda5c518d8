"""Queries and operations on projections: maps that were computed, and where they lie."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from termexplorer.store.tables.encoders import ProjectionRow


@dataclass(frozen=True, slots=True)
class ProjectionKey:
    """All that the positions of a map depend on.

    Attributes:
        encoder_id: whose vectors were laid out.
        names_hash: SHA-256 of the names, in their order.
        method: pca, tsne or umap.
        parameters: of the method, as JSON with sorted keys.
        seed: of everything random.
    """

    encoder_id: int
    names_hash: str
    method: str
    parameters: str
    seed: int


@dataclass(frozen=True, slots=True)
class ProjectionInfo:
    """A map that was computed.

    Attributes:
        key: what it depends on.
        release_id: whose names are on it.
        path: of the file with its positions, relative to the workspace.
        content_hash: SHA-256 of that file.
        points: names on it.
        card: everything that was found and measured.
        made_at: when.
        title: what the user calls it; empty where what it is of tells it.
    """

    key: ProjectionKey
    release_id: int
    path: str
    content_hash: str
    points: int
    card: Mapping[str, Any]
    made_at: str
    title: str = ""


_KEY = ProjectionKey.__slots__
_REST = tuple(name for name in ProjectionInfo.__slots__ if name != "key")


def projection(connection: Connection, key: ProjectionKey) -> ProjectionInfo | None:
    """The map of a key, or None while there is none."""
    columns = [getattr(ProjectionRow, name) for name in _REST]
    query = select(*columns).filter_by(**_field_values(key, _KEY))
    row = connection.execute(query).mappings().one_or_none()
    return ProjectionInfo(key, **row) if row else None


def projections_by(connection: Connection, key: ProjectionKey) -> list[ProjectionInfo]:
    """The maps of a key, whatever the parameters."""
    names = [name for name in _KEY if name != "parameters"]
    columns = [getattr(ProjectionRow, name) for name in ("parameters", *_REST)]
    rows = connection.execute(
        select(*columns).filter_by(**_field_values(key, tuple(names)))
    ).mappings()
    return [
        ProjectionInfo(replace(key, parameters=row["parameters"]), *(row[name] for name in _REST))
        for row in rows
    ]


def list_projections(connection: Connection) -> list[ProjectionInfo]:
    """Return all maps, the newest first."""
    columns = [getattr(ProjectionRow, name) for name in (*_KEY, *_REST)]
    rows = connection.execute(select(*columns).order_by(ProjectionRow.made_at.desc())).mappings()
    return [
        ProjectionInfo(ProjectionKey(*(row[name] for name in _KEY)), *(row[name] for name in _REST))
        for row in rows
    ]


def put_projection(connection: Connection, info: ProjectionInfo) -> None:
    """Keeps a map; one of the same key is replaced, and its title stays."""
    rest = _field_values(info, _REST)
    query = upsert(ProjectionRow).values(**_field_values(info.key, _KEY), **rest)
    rest.pop("title")
    connection.execute(query.on_conflict_do_update(index_elements=_KEY, set_=rest))


def put_title(connection: Connection, key: ProjectionKey, title: str) -> None:
    """Keep what the user calls a map; nothing for what it is of."""
    connection.execute(
        update(ProjectionRow).filter_by(**_field_values(key, _KEY)).values(title=title)
    )


def put_card(connection: Connection, info: ProjectionInfo) -> None:
    """Keeps what more is known of a map, if it is still there as it was."""
    same = _field_values(info.key, _KEY) | {"content_hash": info.content_hash}
    connection.execute(update(ProjectionRow).filter_by(**same).values(card=dict(info.card)))


def _field_values(source: object, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(source, name) for name in names}
