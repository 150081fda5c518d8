"""Tensors that lie in a file and not in memory, and files that are none."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.mapped_tensors import map_tensors

TENSORS = {
    "words": np.frombuffer(b"lung heart", np.uint8),
    "rows": np.arange(-6, 6, dtype=np.int8).reshape(4, 3),
    "factors": np.arange(5, dtype=np.uint16),
    "weights": np.linspace(0, 1, 7, dtype=np.float32),
    "none": np.zeros((0, 3), np.float32),
}


def test_the_library_writes_what_is_mapped(tmp_path: Path) -> None:
    path = tmp_path / "t.safetensors"
    path.write_bytes(save(TENSORS, metadata={"format": "np"}))
    mapped = map_tensors(path)
    assert set(mapped) == set(TENSORS)
    for name, tensor in TENSORS.items():
        assert mapped[name].dtype == tensor.dtype
        np.testing.assert_array_equal(mapped[name], tensor)
    root = mapped["rows"]
    while isinstance(root.base, np.ndarray):
        root = root.base
    assert isinstance(root, np.memmap)  # nothing was copied


def header_of(**entry: object) -> bytes:
    header = json.dumps({"rows": {"dtype": "I8", "shape": [2], "data_offsets": [0, 2]} | entry})
    return len(header).to_bytes(8, "little") + header.encode() + b"\1\2"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\1\2",
        b"\xff" * 64,
        (2).to_bytes(8, "little") + b"[]",
        (3).to_bytes(8, "little") + b"{}x",
        (200_000).to_bytes(8, "little") + b"[" * 200_000,
        header_of(dtype="BF16"),
        header_of(dtype=[]),
        header_of(shape=[3]),
        header_of(shape=[-1, -2]),
        header_of(shape=None),
        header_of(data_offsets=[0, 3], shape=[3]),
        header_of(data_offsets=[-2, 0]),
        header_of(data_offsets=[0]),
        header_of(more=1),
    ],
)
def test_a_file_that_is_none_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "t.safetensors"
    path.write_bytes(content)
    with pytest.raises(TrainerError, match=r"t\.safetensors is no safetensors file"):
        map_tensors(path)
