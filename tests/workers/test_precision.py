"""The number format of a machine is measured once, and then what is kept is obeyed."""

import errno
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tiny_transformer import write_bert
from toy_workspace import opened_copy, quiet

from termexplorer.replicate.request import StudyVectors
from termexplorer.replicate.runs import opened_vectors
from termexplorer.services.encoders.vectors import add_vectors
from termexplorer.trainer import representations
from termexplorer.trainer.recipes.dan import DeepAveraging
from termexplorer.trainer.representations.transformer import TransformerNames
from termexplorer.trainer.representations.transformer_folder import convert_folder
from termexplorer.trainer.training import run as training
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.process.precision import settle_reading, settled
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

WIDE = {"hidden_size": 256, "num_hidden_layers": 1, "intermediate_size": 64}
NAMES = ["viral pneumonia", "acute fever", ""]
RECIPE = replace(DeepAveraging.quick(), hidden=8)


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("models")
    write_bert(folder / "source", **WIDE)
    convert_folder(folder / "source", folder / "wide")
    return folder / "wide"


def kept(folder: Path) -> dict[str, str]:
    precision_by_key: dict[str, str] = json.loads((folder / "precision.json").read_text())
    return {key: precision for key, precision in precision_by_key.items() if key != "check"}


def keep_instead(folder: Path, precision: str) -> None:
    changed = dict.fromkeys(kept(folder), precision)
    (folder / "precision.json").write_text(json.dumps(changed))


def test_a_recipe_and_a_transformer_keep_what_pays(tmp_path: Path, wide: Path) -> None:
    settled(RECIPE, 16, "cpu", tmp_path)
    names = TransformerNames.load(wide)
    settle_reading(names, tmp_path)
    assert len(kept(tmp_path)) == 2
    for precision in ("bfloat16", "float32"):
        keep_instead(tmp_path, precision)
        assert settled(RECIPE, 16, "cpu", tmp_path).precision == precision
        settle_reading(names, tmp_path)
        assert names.bfloat16 == (precision == "bfloat16")
    assert set(kept(tmp_path).values()) == {"float32"}  # nothing was measured again


def test_what_a_recipe_says_is_done_and_measures_nothing(tmp_path: Path) -> None:
    asked = replace(RECIPE, precision="bfloat16")
    assert settled(asked, 16, "cpu", tmp_path) == asked
    assert not list(tmp_path.iterdir())


def test_a_file_with_a_flipped_bit_is_measured_anew_and_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    result = settled(RECIPE, 16, "cpu", tmp_path).precision
    whole = (tmp_path / "precision.json").read_text("utf-8")
    (tmp_path / "precision.json").write_text(whole.replace(" x 16", " x 17"), "utf-8")
    assert settled(RECIPE, 16, "cpu", tmp_path).precision in ("float32", "bfloat16")
    assert "was damaged" in caplog.text
    assert len(kept(tmp_path)) == 1, result


@pytest.mark.parametrize("content", ["{", '{"a": 1}', "[]", "7"])
def test_a_file_that_cannot_be_read_is_written_anew(tmp_path: Path, content: str) -> None:
    (tmp_path / "precision.json").write_text(content)
    result = settled(RECIPE, 16, "cpu", tmp_path).precision
    assert result in kept(tmp_path).values()
    assert [path.name for path in tmp_path.iterdir()] == ["precision.json"]


@pytest.mark.parametrize("first", ["float32", "bfloat16"])
def test_of_two_that_measure_together_both_use_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    monkeypatch.setattr(training, "settled_precision", lambda *_: first)
    settled(RECIPE, 16, "cpu", tmp_path)
    content = (tmp_path / "precision.json").read_bytes()
    (tmp_path / "precision.json").unlink()

    def measured_more_slowly(*_: object) -> str:
        (tmp_path / "precision.json").write_bytes(content)
        return "bfloat16" if first == "float32" else "float32"

    monkeypatch.setattr(training, "settled_precision", measured_more_slowly)
    assert settled(RECIPE, 16, "cpu", tmp_path).precision == first
    assert list(kept(tmp_path).values()) == [first]


def test_what_cannot_be_written_leaves_no_part_of_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, text: str, _encoding: str) -> None:
        path.write_bytes(text.encode()[:3])
        raise OSError(errno.ENOSPC, "no room")

    monkeypatch.setattr(Path, "write_text", full)
    assert settled(RECIPE, 16, "cpu", tmp_path).precision in ("float32", "bfloat16")
    assert not list(tmp_path.iterdir())


def test_where_nothing_can_be_kept_it_is_measured(tmp_path: Path) -> None:
    result = settled(RECIPE, 16, "cpu", tmp_path / "gone").precision
    assert result in ("float32", "bfloat16")


def test_narrow_transformers_and_other_vectors_are_left_alone(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    write_bert(tmp_path / "source")
    convert_folder(tmp_path / "source", tmp_path / "narrow")
    for names in (TransformerNames.load(tmp_path / "narrow"), object()):
        settle_reading(names, tmp_path)
        assert not getattr(names, "bfloat16", False)
    assert not (tmp_path / "precision.json").exists()


@pytest.fixture
def workspace(toy: Path, tmp_path: Path) -> Iterator[Workspace]:
    with opened_copy(toy, tmp_path) as opened:
        yield opened


def test_a_workspace_reads_in_what_it_has_settled(workspace: Workspace, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    write_bert(tmp_path / "wide", **WIDE)
    transformer = add_vectors(workspace, tmp_path / "wide", JobControl(), quiet)
    Encoders(workspace.folder, workspace.store).encode(transformer.id, NAMES)
    alone = representations.load(workspace.folder / transformer.path)
    assert isinstance(alone, TransformerNames)
    for precision in ("bfloat16", "float32"):
        keep_instead(workspace.folder, precision)
        alone.multiply_in(precision)
        encoded = Encoders(workspace.folder, workspace.store).encode(transformer.id, NAMES)
        np.testing.assert_array_equal(encoded, alone.encode(NAMES))
        for_study = opened_vectors(StudyVectors("wide", "", transformer.id), workspace).encode(
            NAMES
        )
        np.testing.assert_array_equal(for_study, encoded)
