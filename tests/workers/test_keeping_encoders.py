"""Names are encoded once, block by block, whatever stands on what."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from toy_workspace import TRAINED, VECTORS, opened_copy

from termexplorer.trainer import representations
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.encoders.keeping_encoders import CachedEncoders
from termexplorer.workspace import Workspace

NAMES = ["viral lung infection", "heart disease", "", "unheard of", "heart disease"]


@pytest.fixture
def workspace(trained: Path, tmp_path: Path) -> Iterator[Workspace]:
    with opened_copy(trained, tmp_path) as workspace:
        yield workspace


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that the vectors of the workspace were asked for, in their order."""
    asked: list[str] = []
    load = representations.load_dense

    def counting(*arguments: Any, **options: Any) -> Any:
        loaded: Any = load(*arguments, **options)
        encode: Callable[[Sequence[str]], Any] = loaded.encode
        loaded.encode = lambda names: asked.extend(names) or encode(names)  # type: ignore[func-returns-value]
        return loaded

    monkeypatch.setattr(representations, "load_dense", counting)
    return asked


def keeping(workspace: Workspace, calls: list[tuple[int, int]]) -> CachedEncoders:
    return CachedEncoders(
        workspace.folder, workspace.store, lambda done, of: calls.append((done, of))
    )


def test_vectors_are_those_of_the_encoder_and_each_name_is_encoded_once(
    workspace: Workspace, encoded: list[str]
) -> None:
    plain = Encoders(workspace.folder, workspace.store)
    expected = {
        kept_encoder: plain.encode(kept_encoder, NAMES) for kept_encoder in (VECTORS, TRAINED)
    }
    encoded.clear()
    encoders = keeping(workspace, [])
    for encoder_id, vectors in expected.items():
        for names in (NAMES[:2], NAMES, NAMES[::-1]):
            places = [NAMES.index(name) for name in names]
            encoded_rows = encoders.encode(encoder_id, names)
            np.testing.assert_allclose(encoded_rows, vectors[places], atol=1e-6)
        assert encoders.encode(encoder_id, []).shape == (0, vectors.shape[1])
    assert sorted(filter(None, encoded)) == sorted({*NAMES} - {""})


def test_many_names_are_told_block_by_block_and_can_be_stopped(workspace: Workspace) -> None:
    names = [f"lung disease {number}" for number in range(3000)]
    seen: list[tuple[int, int]] = []
    encoders = keeping(workspace, seen)
    encoders.encode(TRAINED, names)
    encoders.encode(TRAINED, names)
    assert seen == [(0, 3000), (1024, 3000), (2048, 3000)]

    def stop(done: int, _of: int) -> None:
        if done:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        CachedEncoders(workspace.folder, workspace.store, stop).encode(VECTORS, names)
