"""What a transformer has read is not read again, and is what it would be read as."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tiny_transformer import write_bert
from toy_workspace import opened_copy, quiet

from termexplorer.services.encoders.export import export_encoder
from termexplorer.services.encoders.vectors import add_vectors
from termexplorer.services.workspace.room import compact_workspace
from termexplorer.trainer.representations.transformer import TransformerNames
from termexplorer.workers.encoders import read_names
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.encoders.read_names import READ_NAMES, ReadNames
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

WIDTH = 3
NAMES = [f"name {number}" for number in range(40)]
Float32s = NDArray[np.float32]


def vectors_of(names: Sequence[str]) -> Float32s:
    """Of each name a vector of its own, whatever stands beside it."""
    seeds = [np.frombuffer(name.encode(), np.uint8) for name in names]
    rows = [np.random.default_rng(seed).normal(size=WIDTH) for seed in seeds]
    return np.array(rows, np.float32)


class Reader:
    """Remembers what it was asked to read."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, names: Sequence[str]) -> Float32s:
        self.asked += names
        return vectors_of(names)


@pytest.fixture
def reader() -> Reader:
    return Reader()


def test_a_name_is_read_once_and_by_whoever_asks_first(tmp_path: Path, reader: Reader) -> None:
    first = ReadNames(tmp_path, WIDTH).encode([*NAMES, *NAMES[:5]], reader)
    assert sorted(reader.asked) == sorted(NAMES)
    np.testing.assert_array_equal(first, vectors_of([*NAMES, *NAMES[:5]]))
    more = [*NAMES[::-1], "another", "one more"]
    again = ReadNames(tmp_path, WIDTH).encode(more, reader)
    assert reader.asked[len(NAMES) :] == ["another", "one more"]
    np.testing.assert_array_equal(again, vectors_of(more))
    again[:] = 0  # the caller's own


@given(st.lists(st.text(), min_size=20, max_size=60), st.data())
def test_vectors_are_those_that_would_be_read(names: list[str], data: st.DataObject) -> None:
    some = data.draw(st.lists(st.sampled_from(names), min_size=20, max_size=30))
    with TemporaryDirectory() as folder:
        for asked in (some, names, some):
            encoded = ReadNames(Path(folder), WIDTH).encode(asked, vectors_of)
            np.testing.assert_array_equal(encoded, vectors_of(asked))


def test_a_few_names_as_somebody_types_them_are_not_kept(tmp_path: Path, reader: Reader) -> None:
    for _ in range(2):
        ReadNames(tmp_path, WIDTH).encode(NAMES[:3], reader)
    assert reader.asked == NAMES[:3] * 2
    assert not list(tmp_path.iterdir())
    assert ReadNames(tmp_path, WIDTH).encode([], lambda _: np.empty((0, WIDTH), "f4")).shape == (
        0,
        WIDTH,
    )


def damaged(path: Path) -> None:
    path.write_bytes(b"no database" * 100)


def bit_flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    position = content.index(vectors_of(NAMES[7:8]).tobytes())
    content[position] ^= 1
    path.write_bytes(content)


def of_another_width(path: Path) -> None:
    path.unlink()
    ReadNames(path.parent, WIDTH + 1).encode(NAMES, lambda names: np.ones((len(names), 4), "f4"))


@pytest.mark.parametrize(
    ("damage", "read_anew"),
    [(damaged, NAMES), (bit_flipped, NAMES[7:8]), (of_another_width, NAMES)],
)
def test_what_is_damaged_is_read_anew(
    tmp_path: Path, reader: Reader, damage: Callable[[Path], None], read_anew: list[str]
) -> None:
    ReadNames(tmp_path, WIDTH).encode(NAMES, vectors_of)
    damage(tmp_path / READ_NAMES)
    for _ in range(2):
        encoded = ReadNames(tmp_path, WIDTH).encode(NAMES, reader)
        np.testing.assert_array_equal(encoded, vectors_of(NAMES))
    assert reader.asked == read_anew  # and is kept again


def test_no_more_is_kept_than_there_is_room_for(
    tmp_path: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_names, "_MOST", 30)
    for _ in range(2):
        ReadNames(tmp_path, WIDTH).encode(NAMES, reader)
    assert reader.asked == NAMES + NAMES[30:]


def test_where_nothing_can_be_kept_names_are_read(
    tmp_path: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_names, "_BUSY_SECONDS", 0.01)
    ReadNames(tmp_path, WIDTH).encode(NAMES, vectors_of)
    with closing(sqlite3.connect(tmp_path / READ_NAMES)) as other:
        other.execute("BEGIN EXCLUSIVE")  # it is taken
        encoded = ReadNames(tmp_path, WIDTH).encode(NAMES, reader)
        gone = ReadNames(tmp_path / "gone", WIDTH).encode(NAMES, reader)
    np.testing.assert_array_equal(encoded, vectors_of(NAMES))
    np.testing.assert_array_equal(gone, encoded)
    assert reader.asked == NAMES * 2
    ReadNames(tmp_path, WIDTH).encode(NAMES, reader)
    assert reader.asked == NAMES * 2  # what was there is there still


@pytest.fixture
def workspace(toy: Path, tmp_path: Path) -> Iterator[Workspace]:
    with opened_copy(toy, tmp_path) as opened:
        yield opened


def test_a_transformer_reads_a_benchmark_once(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("transformers")
    write_bert(tmp_path / "tiny")
    transformer = add_vectors(workspace, tmp_path / "tiny", JobControl(), quiet)
    names = [f"{how} {name}" for how in ("viral", "acute", "lung", "of") for name in NAMES[:10]]
    first = Encoders(workspace.folder, workspace.store).encode(transformer.id, names)
    file = workspace.folder / transformer.path / READ_NAMES
    assert file.is_file()
    with monkeypatch.context() as patched:
        patched.delattr(TransformerNames, "encode")
        again = Encoders(workspace.folder, workspace.store).encode(transformer.id, names)
    np.testing.assert_array_equal(first, again)
    taken = export_encoder(
        workspace, transformer.id, tmp_path / "taken", False, JobControl(), quiet
    )
    assert not (taken / READ_NAMES).exists()
    workspace.close()
    compacted = compact_workspace(workspace.folder)
    assert compacted.after < compacted.before
    assert not file.exists()
