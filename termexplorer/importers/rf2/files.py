"""The files of an RF2 release, in a folder or a zip, told by their names."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from termexplorer.errors import UserError
from termexplorer.importers.files.entries import entries, holds_entry
from termexplorer.importers.files.source import ImportProgress
from termexplorer.texts import mark, tr, translated

_ROLES = {
    "concept": r"sct2_Concept_",
    "description": r"sct2_Description_",
    "definition": r"sct2_TextDefinition_",
    "relationship": r"sct2_Relationship_",
    "language": r"der2_cRefset_\w*Language",
    "association": r"der2_cRefset_\w*Association(?:Reference)?",
    "modules": r"der2_ssRefset_\w*ModuleDependency",
}
_NEEDED = {  # what errors call them
    "concept": mark("concepts"),
    "description": mark("descriptions"),
    "relationship": mark("relationships"),
    "language": mark("languages"),
}
_NAME = re.compile(
    "x?(?:" + "|".join(f"(?P<{role}>{text})" for role, text in _ROLES.items()) + ")"
    r"(?P<type>Snapshot|Full|Delta)(?:-(?P<code>[A-Za-z]{2}(?:-[A-Za-z]+)*))?_.*\.txt",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Rf2Member:
    """A file of a release.

    Attributes:
        name: Of the file alone, as reports give it.
        role: One of `concept`, `description`, `definition`, `relationship`, `language`,
            `association`, `modules`.
        type: `snapshot`, `full` or `delta`.
        language: The code in its name, in lower case, or "".
        size: Bytes, unpacked.
        open: Opens it.
    """

    name: str
    role: str
    type: str
    language: str
    size: int
    open: Callable[[], BinaryIO]


class Rf2Release(ImportProgress):
    """The files of one type of a release; progress is counted in their bytes.

    Attributes:
        path: The folder or zip.
        types: `snapshot` and `full`, as far as they are there whole.
        type: The one that is read; the first, unless another one is used.
    """

    def __init__(self, path: Path, types: dict[str, list[Rf2Member]]) -> None:
        super().__init__()
        self.path = path
        self._by_type = types
        self.types = tuple(types)
        self.type = self.types[0]

    @property
    def members(self) -> list[Rf2Member]:
        """The files that are read, in the order of their names."""
        return self.files(self.type)

    def files(self, kind: str) -> list[Rf2Member]:
        """The files of one of `types`."""
        return self._by_type[kind]

    def use(self, kind: str) -> None:
        """Has another type read, which is one of `types`."""
        self.type = kind

    def of(self, *roles: str) -> list[Rf2Member]:
        """The files of some roles."""
        return [member for member in self.members if member.role in roles]


def holds_release(path: Path) -> bool:
    """Whether a folder or zip holds a file of concepts as RF2 names them.

    Raises:
        UserError: The folder cannot be read.
    """
    return holds_entry(path, lambda name: _role_of(name) == "concept")


def open_release(path: Path) -> Rf2Release:
    """Find the files of a release, of which the snapshot is read, or else the full release.

    Raises:
        UserError: No release, one of changes alone, or one that lacks a file.
    """
    members = sorted(_list_members(path), key=lambda member: (member.name, member.size))
    by_type = {kind: [m for m in members if m.type == kind] for kind in ("snapshot", "full")}
    lacks = {kind: _lacking_roles(members) for kind, members in by_type.items()}
    if whole := {kind: members for kind, members in by_type.items() if not lacks[kind]}:
        return Rf2Release(path, whole)
    if not any(by_type.values()):
        lacking = (
            tr("holds a delta alone, which is no whole release")
            if members
            else tr("holds no RF2 release")
        )
        raise UserError(
            tr(
                "{path} {what}; choose a folder or zip with a Snapshot or Full release",
                path=path,
                what=lacking,
            )
        )
    kind = min(
        (candidate for candidate in by_type if by_type[candidate]),
        key=lambda candidate: len(lacks[candidate]),
    )
    raise UserError(
        tr(
            "{path}: the {kind} release lacks its files of {files}; choose the folder or zip of a "
            "whole release",
            path=path,
            kind=kind,
            files=tr(" and ").join(lacks[kind]),
        )
    )


def _lacking_roles(members: list[Rf2Member]) -> list[str]:
    present = {member.role for member in members}
    return [translated(file_kind) for role, file_kind in _NEEDED.items() if role not in present]


def _role_of(name: str) -> str | None:
    match = _NAME.fullmatch(name)
    return match and next((role for role in _ROLES if match[role]), None)


def _list_members(path: Path) -> Iterator[Rf2Member]:
    for name, size, opener in entries(path):
        if match := _NAME.fullmatch(name):
            role = next(role for role in _ROLES if match[role])
            language = (match["code"] or "").lower()
            yield Rf2Member(name, role, match["type"].lower(), language, size, opener)
