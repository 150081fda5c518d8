"""Encoders taken out of a workspace, opened by the trainer and by sentence-transformers."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from toy_workspace import LEXICAL, TRAINED, VECTORS, quiet

from termexplorer import trainer
from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.services.encoders.export import CARD, export_encoder, opens
from termexplorer.services.encoders.made_encoders import blend_encoder, join_encoders
from termexplorer.store.releases.corpus import release_names
from termexplorer.trainer.representations.tfidf import TfidfNames
from termexplorer.trainer.representations.word_vectors import WordVectors
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.process.supervision import Cancelled, JobControl
from termexplorer.workspace import Workspace

UNKNOWN = ["qqq", ""]


def export(workspace: Workspace, encoder_id: int, folder: Path, *, foreign: bool = False) -> Path:
    return export_encoder(workspace, encoder_id, folder, foreign, JobControl(), quiet)


def names_of(workspace: Workspace) -> list[str]:
    with workspace.store.reading() as connection:
        return [*release_names(connection, 1).texts, *UNKNOWN]


def units(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)


def within(workspace: Workspace, encoder_id: int) -> np.ndarray:
    encoders = Encoders(workspace.folder, workspace.store)
    return encoders.encode_unit(encoder_id, names_of(workspace))


@pytest.fixture
def twice_joined(with_run: Workspace) -> int:
    """Joined of a joined one, with the same vectors beneath several parts."""
    first = join_encoders(with_run, [VECTORS, TRAINED])
    return join_encoders(with_run, [TRAINED, first.id]).id


@pytest.mark.parametrize("which", ["vectors", "trained", "joined"])
def test_a_folder_stands_alone_and_has_the_same_vectors(
    with_run: Workspace, twice_joined: int, tmp_path: Path, which: str
) -> None:
    encoder_id = {"vectors": VECTORS, "trained": TRAINED, "joined": twice_joined}[which]
    for weights in with_run.folder.rglob("*.safetensors"):
        weights.chmod(0o600)
    written = export(with_run, encoder_id, tmp_path / "taken" / "out")
    wanted, names = within(with_run, encoder_id), names_of(with_run)
    assert len({path.stat().st_mode for path in written.rglob("*") if path.is_file()}) == 1
    shutil.move(written, tmp_path / "elsewhere")
    shutil.rmtree(with_run.folder / "vectors")
    shutil.rmtree(with_run.folder / "runs")
    representation = trainer.load(tmp_path / "elsewhere", device="cpu")
    assert not isinstance(representation, TfidfNames)
    np.testing.assert_allclose(units(representation.encode(names)), wanted, atol=1e-6)
    assert wanted[0].any()
    card = json.loads((tmp_path / "elsewhere" / CARD).read_text("utf-8"))
    assert (card["encoder"], card["dimension"]) == (encoder_id, representation.dimension)
    assert list((tmp_path / "taken").iterdir()) == []


@pytest.mark.parametrize("encoder_id", [VECTORS, TRAINED])
def test_sentence_transformers_has_the_same_vectors(
    with_run: Workspace, tmp_path: Path, encoder_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tqdm import tqdm

    monkeypatch.setattr(tqdm, "monitor_interval", 0)  # a thread of progress bars
    library = pytest.importorskip("sentence_transformers")
    written = export(with_run, encoder_id, tmp_path / "out", foreign=True)
    representation = library.SentenceTransformer(str(written), device="cpu")
    vectors = units(np.asarray(representation.encode(names_of(with_run), show_progress_bar=False)))
    np.testing.assert_allclose(vectors, within(with_run, encoder_id), atol=1e-5)
    assert (written / CARD).is_file()


def test_what_has_no_vectors_or_no_modules_is_refused(
    with_run: Workspace, twice_joined: int, tmp_path: Path
) -> None:
    blended = blend_encoder(with_run, TRAINED, 1.0)
    for encoder_id, kind in ((LEXICAL, "lexical"), (blended.id, "blended")):
        label = find_encoder(with_run, encoder_id).label
        with pytest.raises(UserError) as error:
            export(with_run, encoder_id, tmp_path / "out")
        assert str(error.value) == f"{label} is {kind}: it has no vectors to export"
    with pytest.raises(UserError, match="has no modules for Joined"):
        export(with_run, twice_joined, tmp_path / "out", foreign=True)
    assert not list(tmp_path.glob("*out*"))


def test_nothing_is_written_over(with_run: Workspace, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert export(with_run, VECTORS, tmp_path / "empty") == tmp_path / "empty"
    for taken in (tmp_path / "empty", tmp_path / "empty" / CARD):
        with pytest.raises(UserError, match="is there already and not empty"):
            export(with_run, VECTORS, taken)
    with pytest.raises(UserError, match="cannot be written"):
        export(with_run, VECTORS, tmp_path / "empty" / CARD / "below")
    for folder in (with_run.folder, with_run.folder / "runs" / "7", with_run.folder / "new"):
        with pytest.raises(UserError, match="is in the workspace, which keeps folders"):
            export(with_run, VECTORS, folder)


def test_files_that_are_gone_are_told(with_run: Workspace, tmp_path: Path) -> None:
    shutil.rmtree(with_run.folder / find_encoder(with_run, TRAINED).path)
    with pytest.raises(UserError, match=r"runs.* is missing or damaged"):
        export(with_run, TRAINED, tmp_path / "out")
    assert not list(tmp_path.glob("*out*"))


def test_a_cancelled_export_leaves_nothing(with_run: Workspace, tmp_path: Path) -> None:
    control = JobControl()

    def cancel(_message: object) -> None:
        control.cancel()

    with pytest.raises(Cancelled):
        export_encoder(with_run, TRAINED, tmp_path / "out", False, control, cancel)
    assert not list(tmp_path.glob("*out*"))


def test_what_lies_beneath_several_parts_is_encoded_once(
    with_run: Workspace, twice_joined: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    encode = WordVectors.encode

    def counted(self: WordVectors, names: list[str]) -> np.ndarray:
        asked.append(len(names))
        return encode(self, names)

    monkeypatch.setattr(WordVectors, "encode", counted)
    within(with_run, twice_joined)
    assert len(asked) == 2  # as a part of its own, and beneath the trained one


def test_the_line_that_opens_a_folder_is_python(tmp_path: Path) -> None:
    folder = tmp_path / 'a "b" ü'
    assert eval(opens(folder, False).removeprefix("trainer.load")) == str(folder)  # noqa: S307
    assert opens(folder, True).startswith("SentenceTransformer(")
