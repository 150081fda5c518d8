"""Shared by the tests of RF2: a small made-up release, and ways to change its files."""

import random
from collections.abc import Callable
from pathlib import Path

from importing import Imported, read

from termexplorer.bench.releases.rf2_release import FILES, Rf2Size, write_release

SMALL = Rf2Size(concepts=80, descriptions=340, relationships=640, definitions=7)


def release(folder: Path, size: Rf2Size = SMALL) -> Path:
    """The folder of a release, as a snapshot and in full."""
    return write_release(folder / "release", size)


def file_of(folder: Path, role: str, kind: str = "Snapshot") -> Path:
    """One file of a release."""
    file_path = Path(FILES[role].format(kind))
    return next((folder / kind / file_path.parent).glob(f"{file_path.name}_*"))


def rewrite(path: Path, change: Callable[[list[bytes]], list[bytes]]) -> Path:
    """Change the rows of a file, the header aside."""
    header, *rows = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([header, *change(rows)]))
    return path


def shuffle(folder: Path, seed: int) -> None:
    """Put the rows of all files in another order."""
    draw = random.Random(seed)  # noqa: S311 - an order, no secret
    for path in sorted(folder.rglob("*.txt")):
        rewrite(path, lambda rows: draw.sample(rows, len(rows)))


def row(*cells: object) -> bytes:
    """A line of a file."""
    return "\t".join(map(str, cells)).encode() + b"\r\n"


def told(path: Path, **options: object) -> Imported:
    """All that comes of a release."""
    return read("rf2", path, **options)


def content(imported: Imported) -> list[object]:
    """What an ontology is made of, without the lines that it stood on."""
    return [
        (
            concept.curie,
            concept.kind,
            concept.names,
            concept.parents,
            concept.definition,
            concept.obsolete,
            concept.replaced_by,
            concept.same_as,
            concept.consider,
            concept.associations,
        )
        for concept in imported.concepts
    ]
