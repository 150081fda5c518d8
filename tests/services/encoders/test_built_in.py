"""The encoder that comes with the program, in a workspace, in commands and alone."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from termexplorer import trainer
from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.encoders import built_in
from termexplorer.services.encoders.built_in import ensure_built_in, find_built_in, is_built_in
from termexplorer.services.encoders.encoders import list_encoders, remove_encoder
from termexplorer.trainer.representations import load
from termexplorer.workspace import Workspace

NAMES = ("myocardial infarction", "renal failure", "pneumonia", "fracture of femur", "gout")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def workspace(folder: Path) -> Iterator[Workspace]:
    with closing(Workspace(folder)) as opened:
        yield opened


def run(folder: Path, *words: str) -> Any:
    done = CliRunner().invoke(app, [*words, "--json", "--workspace", str(folder)])
    if isinstance(done.exception, UserError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_it_knows_what_has_no_letters_in_common() -> None:
    encoder = trainer.builtin()
    (nearest, cosine), *_ = encoder.neighbours("heart attack", NAMES, 3)
    assert nearest == "myocardial infarction"
    assert cosine == pytest.approx(encoder.similarity(["heart attack"], [nearest])[0, 0])


def test_it_encodes_in_batches_and_tells_how_far_it_is() -> None:
    encoder, reported = trainer.builtin(), []
    vectors = encoder.encode(NAMES, batch_size=2, progress=reported.append)
    assert reported == [0.4, 0.8, 1.0]
    assert vectors.tobytes() == encoder.encode(NAMES).tobytes()
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    with pytest.raises(ValueError, match="batch_size"):
        encoder.encode(NAMES, batch_size=0)
    with pytest.raises(ValueError, match="neighbours"):
        encoder.neighbours("gout", NAMES, 0)


def test_it_tells_how_much_of_a_name_it_knows() -> None:
    shares = trainer.builtin().known_shares(["gout", "qqxzzv", "acute qqxzzv"])
    assert shares[0] == 1
    assert shares[1] == 0
    assert 0 < shares[2] < 1


def test_opening_it_imports_no_torch() -> None:
    code = (
        "import sys; from termexplorer import trainer\n"
        "assert trainer.builtin().encode(['gout']).any()\n"
        "heavy = {'torch', 'scipy', 'sklearn', 'sqlalchemy', 'PySide6'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_workspace_encodes_by_it_without_torch(workspace: Workspace) -> None:
    """Else the first neighbours after an import wait for it for seconds."""
    added = ensure_built_in(workspace)
    assert added is not None
    code = (
        "import sys; from pathlib import Path\n"
        "from termexplorer.workers.encoders.encoding import Encoders\n"
        "from termexplorer.workspace import Workspace\n"
        f"workspace = Workspace(Path({str(workspace.folder)!r}))\n"
        "encoders = Encoders(workspace.folder, workspace.store, 'auto')\n"
        f"assert encoders.encode_unit({added.id}, ['gout']).any()\n"
        "heavy = {'torch', 'transformers', 'sklearn'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_workspace_gets_it_once(workspace: Workspace) -> None:
    assert find_built_in(workspace) is None
    added = ensure_built_in(workspace)
    assert added is not None
    assert ensure_built_in(workspace) == added == find_built_in(workspace)
    opened = load(workspace.folder / added.path)
    assert opened.encode(NAMES).tobytes() == trainer.builtin().encode(NAMES).tobytes()


def test_a_later_version_stands_beside_the_one_that_figures_are_of(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = ensure_built_in(workspace)
    later = tmp_path / "later"
    encoder = trainer.builtin()
    encoder._tables = replace(encoder._tables, unknown_weight=0.5)
    encoder.save(later)
    monkeypatch.setattr(built_in, "locate_shipped", lambda: later)
    second = ensure_built_in(workspace)
    assert first is not None
    assert second is not None
    assert second.id != first.id
    assert find_built_in(workspace) == second
    assert {info.title for info in list_encoders(workspace)} >= {first.title, second.title}
    assert first.title != second.title


def test_programs_that_start_at_once_add_it_once(folder: Path) -> None:
    starts = 4
    ready = threading.Barrier(starts)
    with closing(Workspace(folder)):
        pass

    def start() -> int:
        with closing(Workspace(folder)) as workspace:
            ready.wait(60)
            info = ensure_built_in(workspace)
        assert info is not None
        return info.id

    with ThreadPoolExecutor(starts) as pool:
        ids = {future.result() for future in [pool.submit(start) for _ in range(starts)]}
    with closing(Workspace(folder)) as workspace:
        assert [encoder.id for encoder in list_encoders(workspace) if is_built_in(encoder)] == [
            *ids
        ]


def test_it_comes_back_after_it_was_removed(workspace: Workspace) -> None:
    added = ensure_built_in(workspace)
    assert added is not None
    remove_encoder(workspace, added.id)
    assert find_built_in(workspace) is None
    assert ensure_built_in(workspace) is not None


def test_a_workspace_that_cannot_be_written_to_stays_as_it_is(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Workspace, "read_only", property(lambda self: "full"))
    assert ensure_built_in(workspace) is None


@pytest.fixture
def imported(folder: Path, tmp_path: Path) -> Path:
    table = tmp_path / "names.csv"
    rows = [f"X:{number},{name},X:0" for number, name in enumerate(NAMES, start=1)]
    table.write_text("\n".join(["id,name,parents", "X:0,disease,", *rows]), encoding="utf-8")
    run(folder, "import", str(table))
    return folder


def test_names_are_ranked_by_it_where_no_encoder_is_named(imported: Path) -> None:
    ranked = run(imported, "rank", "neighbours", "heart attack", "--ontology", "1")
    with closing(Workspace(imported)) as workspace:
        added = find_built_in(workspace)
    assert added is not None
    assert {row["encoder"] for row in ranked["ranking"]} == {added.id}
    assert "myocardial infarction" in json.dumps(ranked["ranking"][0])
    again = run(imported, "rank", "neighbours", "heart attack", "--ontology", "1", "-e", "built-in")
    assert again == ranked


def test_a_file_of_names_becomes_a_file_of_vectors(tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("\n".join([*NAMES, "qqxzzv"]), encoding="utf-8")
    expected = trainer.builtin().encode([*NAMES, "qqxzzv"])
    for ending in (".npy", ".vec"):
        out = tmp_path / f"vectors{ending}"
        done = CliRunner().invoke(app, ["encode", str(names), "--out", str(out), "--json"])
        assert done.exit_code == 0, done.output
        reported = json.loads(done.stdout)
        assert (reported["names"], reported["unknown"]) == (6, 1)
    assert np.load(tmp_path / "vectors.npy").tobytes() == expected.tobytes()
    head, *lines = (tmp_path / "vectors.vec").read_text(encoding="utf-8").splitlines()
    assert head == f"6 {expected.shape[1]}"
    assert lines[0].split()[0] == "myocardial_infarction"
    read = np.array([line.split()[1:] for line in lines], dtype=np.float32)
    np.testing.assert_allclose(read, expected, atol=1e-5)


def test_names_and_vectors_as_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    names = tmp_path / "names.txt"
    names.write_text("gout\n", encoding="utf-8")
    out = tmp_path / "vectors.parquet"
    assert CliRunner().invoke(app, ["encode", str(names), "--out", str(out)]).exit_code == 0
    (row,) = parquet.read_table(out).to_pylist()
    assert row["name"] == "gout"
    np.testing.assert_allclose(row["vector"], trainer.builtin().encode(["gout"])[0])
