"""Files of tensors, and who may read them."""

from __future__ import annotations

import stat
from pathlib import Path

import torch
from tiny_transformer import write_bert

from termexplorer.trainer.encoders.chained import ChainedNames
from termexplorer.trainer.encoders.network import DAN
from termexplorer.trainer.export import to_sentence_transformers
from termexplorer.trainer.representations.transformer import TransformerNames
from termexplorer.trainer.representations.transformer_folder import convert_folder
from termexplorer.trainer.tensors.random_state import RandomState
from termexplorer.trainer.training.state import write_state


def test_others_may_read_weights_as_they_may_read_the_files_beside_them(tmp_path: Path) -> None:
    write_bert(tmp_path / "bert")
    folder = tmp_path / "made"
    convert_folder(tmp_path / "bert", folder / "copy")
    bert = TransformerNames.load(folder / "copy")
    encoder = DAN.initial(bert.dimension, 8, RandomState(1, torch.device("cpu")))
    encoder.save(folder / "best")
    write_state(folder / "state", {"step": torch.ones(1)}, {})
    to_sentence_transformers(ChainedNames(bert, encoder), folder / "exported")
    (tmp_path / "plain").touch()
    usual = stat.S_IMODE((tmp_path / "plain").stat().st_mode)
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*.*")}
    files = {path: mode for path, mode in modes.items() if path.is_file()}
    assert sum(path.suffix == ".safetensors" for path in files) > 4
    assert {path.name: mode for path, mode in files.items() if mode != usual} == {}
