"""What an author shares on the server: packs of studies, lists of suggestions, what is opened."""

import json
from dataclasses import astuple, dataclass

from sqlalchemy import Connection, text


@dataclass(frozen=True, slots=True)
class SharedPack:
    """What an annotator of a study is given.

    Attributes:
        study_key: of the study, as the log has it.
        annotator: whose it is.
        title: of the study.
        turns: how often they are asked.
        is_open: whether all may read it and the verdicts.
    """

    study_key: str
    annotator: str
    title: str
    turns: int
    is_open: bool


@dataclass(frozen=True, slots=True)
class SharedRelease:
    """A release that a shared list is of.

    Attributes:
        content_hash: of the release.
        terminology: its key; "" where the author's program did not tell.
        label: what people call it.
        file: the name of the file that it was imported from, or "".
    """

    content_hash: str
    terminology: str
    label: str
    file: str


@dataclass(frozen=True, slots=True)
class SharedList:
    """A list of suggestions.

    Attributes:
        key: the hash of its content.
        title: for people.
        releases: that it is of, and that a member needs.
    """

    key: str
    title: str
    releases: tuple[SharedRelease, ...]


def list_packs(connection: Connection) -> list[SharedPack]:
    """Return the packs that one may read, in the order in which they were shared."""
    query = (
        "SELECT study, annotator, title, turns, termexplorer.is_open(study) "
        "FROM termexplorer.pack ORDER BY shared_at, study, annotator"
    )
    return [SharedPack(*row) for row in connection.execute(text(query))]


def read_pack(connection: Connection, pack: SharedPack) -> bytes:
    """Return the file of a pack."""
    query = "SELECT content FROM termexplorer.pack WHERE study = :study AND annotator = :annotator"
    values = {"study": pack.study_key, "annotator": pack.annotator}
    return bytes(connection.execute(text(query), values).scalar_one())


def share_pack(connection: Connection, pack: SharedPack, content: bytes) -> None:
    """Share the file of a pack; one that is shared stays as it is."""
    add = (
        "INSERT INTO termexplorer.pack (study, annotator, title, content, turns) "
        "VALUES (:study, :annotator, :title, :content, :turns) ON CONFLICT DO NOTHING"
    )
    values = {"study": pack.study_key, "annotator": pack.annotator, "title": pack.title}
    connection.execute(text(add), values | {"content": content, "turns": pack.turns})


def open_study(connection: Connection, study: str) -> None:
    """Let all members read the verdicts and packs of a study; "" of curators' work."""
    add = "INSERT INTO termexplorer.opening (study) VALUES (:study) ON CONFLICT DO NOTHING"
    connection.execute(text(add), {"study": study})


def is_open(connection: Connection, study: str) -> bool:
    """Return whether all members read the verdicts of a study."""
    return bool(connection.scalar(text("SELECT termexplorer.is_open(:study)"), {"study": study}))


def list_shared_lists(connection: Connection) -> list[SharedList]:
    """Return the lists of suggestions, in the order in which they were shared."""
    query = (
        "SELECT key, title, release_hash, release_file FROM termexplorer.suggestion_list "
        "ORDER BY shared_at, key"
    )
    return [
        SharedList(key, title, _read_releases(first_hash, written))
        for key, title, first_hash, written in connection.execute(text(query))
    ]


def _read_releases(first_hash: str, written: str) -> tuple[SharedRelease, ...]:
    """Return the releases of a list; older programs wrote one hash, and all files in words."""
    try:
        return tuple(SharedRelease(*map(str, fields)) for fields in json.loads(written))
    except (ValueError, TypeError, RecursionError):
        return (SharedRelease(first_hash, "", written, ""),) if first_hash else ()


def read_shared_list(connection: Connection, key: str) -> bytes:
    """Return the file of a list of suggestions."""
    query = "SELECT content FROM termexplorer.suggestion_list WHERE key = :key"
    return bytes(connection.execute(text(query), {"key": key}).scalar_one())


def share_list(connection: Connection, shared: SharedList, content: bytes) -> None:
    """Share the file of a list of suggestions; one that is shared stays as it is."""
    add = (
        "INSERT INTO termexplorer.suggestion_list "
        "(key, title, release_hash, release_file, content) "
        "VALUES (:key, :title, :release_hash, :release_file, :content) ON CONFLICT DO NOTHING"
    )
    releases = [astuple(release) for release in shared.releases]
    values = {
        "key": shared.key,
        "title": shared.title,
        "release_hash": shared.releases[0].content_hash if releases else "",
        "release_file": json.dumps(releases, ensure_ascii=False),
        "content": content,
    }
    connection.execute(text(add), values)
