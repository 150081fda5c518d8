"""Transformers that read names on a GPU, simulated: this machine may have none."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tiny_transformer import write_bert
from toy_workspace import VECTORS, opened_copy

from termexplorer.jobs import JobControl
from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.services.encoders.vectors import add_vectors
from termexplorer.trainer.representations.transformer import TransformerNames
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.encoders.keeping_encoders import BlockEncoders
from termexplorer.workspace import Workspace

NAMES = ["viral pneumonia", "acute fever", "", "fever"]


class Gpu:
    """Where a transformer was taken to, and whether it has room for names there."""

    def __init__(self) -> None:
        self.taken_to: list[str] = []
        self.has_room = True


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Gpu:
    fake_gpu, encode_with = Gpu(), TransformerNames.encode_with

    def to(_self: TransformerNames, device: torch.device) -> None:
        fake_gpu.taken_to.append(str(device))

    def limited(self: TransformerNames, weights: Mapping[str, Any], names: Sequence[str]) -> Any:
        if fake_gpu.taken_to[-1] != "cpu" and not fake_gpu.has_room:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return encode_with(self, weights, names)

    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    monkeypatch.setattr(TransformerNames, "to", to)
    monkeypatch.setattr(TransformerNames, "encode_with", limited)
    return fake_gpu


@pytest.fixture
def workspace(toy: Path, tmp_path: Path) -> Iterator[Workspace]:
    pytest.importorskip("transformers")
    with opened_copy(toy, tmp_path) as opened:
        yield opened


@pytest.fixture
def transformer(workspace: Workspace, tmp_path: Path) -> EncoderInfo:
    write_bert(tmp_path / "tiny")
    return add_vectors(workspace, tmp_path / "tiny", JobControl(), lambda _progress: None)


def reading(workspace: Workspace) -> BlockEncoders:
    return BlockEncoders(workspace.folder, workspace.store, lambda _done, _of: None)


def test_jobs_read_many_names_on_the_gpu_and_others_on_the_processor(
    workspace: Workspace, transformer: EncoderInfo, gpu: Gpu
) -> None:
    plain = Encoders(workspace.folder, workspace.store).encode(transformer.id, NAMES)
    assert gpu.taken_to == ["cpu"]
    encoders = reading(workspace)
    np.testing.assert_array_equal(encoders.encode(transformer.id, NAMES), plain)
    encoders.encode(VECTORS, NAMES)
    assert gpu.taken_to == ["cpu", "cuda:0"]
    assert encoders.notes == []


def test_without_memory_names_are_read_on_the_processor_and_that_is_told(
    workspace: Workspace, transformer: EncoderInfo, gpu: Gpu
) -> None:
    gpu.has_room = False
    encoders = reading(workspace)
    plain = Encoders(workspace.folder, workspace.store).encode(transformer.id, NAMES)
    for _ in range(2):
        np.testing.assert_array_equal(encoders.encode(transformer.id, NAMES), plain)
    assert gpu.taken_to == ["cpu", "cuda:0", "cpu"]
    assert encoders.notes == ["cuda:0 is out of memory: names are read on the CPU"]
