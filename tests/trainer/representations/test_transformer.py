from __future__ import annotations

import json
import pickle
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tiny_transformer import MARKS, SIZES, WORDS, write_bert, write_model

from termexplorer.trainer import representations
from termexplorer.trainer.representations import transformer
from termexplorer.trainer.representations.transformer import TransformerNames, quiet_transformers
from termexplorer.trainer.representations.transformer_folder import convert_folder
from termexplorer.trainer.representations.word_vectors import write

NAMES = [
    "Viral pneumonia",
    "fever",
    "",
    "acute fever of the lungs",
    "feveritis",
    "  ",
    "chronic viral pneumonia of the lung",
]
VOCABULARY = {word: row for row, word in enumerate([*MARKS, *WORDS])}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    write_bert(folder)
    return folder


def by_hand(source: Path, words: list[str], pooling: str) -> np.ndarray:
    """One name alone, without padding."""
    with quiet_transformers() as transformers:
        model = transformers.BertModel.from_pretrained(source).eval()
    ids = [VOCABULARY[word] for word in ["[CLS]", *words, "[SEP]"]]
    with torch.no_grad():
        states = model(input_ids=torch.tensor([ids])).last_hidden_state[0]
    return np.asarray(states.mean(0) if pooling == "mean" else states[0])


@pytest.mark.parametrize("pooling", ["mean", "first"])
def test_names_are_pooled_over_their_own_tokens_alone(
    source: Path, tmp_path: Path, pooling: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transformer, "_TOKENS", 20)  # several batches
    convert_folder(source, tmp_path / "copy", pooling=pooling)
    names = representations.load(tmp_path / "copy")
    assert isinstance(names, TransformerNames)
    assert names.dimension == 16
    encoded = names.encode(NAMES)
    assert encoded.dtype == np.float32
    words = [["viral", "pneumonia"], ["fever"], [], ["acute", "fever", "of", "the", "lung", "##s"]]
    for row, tokens in enumerate([*words, ["fever", "##itis"]]):
        expected = by_hand(source, tokens, pooling) if tokens else np.zeros(16)
        np.testing.assert_allclose(encoded[row], expected, atol=1e-5)
    assert not encoded[5].any()
    order = np.random.default_rng(0).permutation(len(NAMES))
    again = names.encode([NAMES[row] for row in order])
    np.testing.assert_allclose(again, encoded[order], atol=1e-5)
    assert names.encode([]).shape == (0, 16)


def test_names_are_read_in_bfloat16_where_that_is_asked_for(source: Path, tmp_path: Path) -> None:
    convert_folder(source, tmp_path / "copy")
    names = TransformerNames.load(tmp_path / "copy")
    exact = names.encode(NAMES)
    names.multiply_in("bfloat16")
    rounded = names.encode(NAMES)
    assert rounded.dtype == np.float32
    np.testing.assert_array_equal(rounded.any(1), exact.any(1))
    is_nonzero = exact.any(1)
    lengths = np.linalg.norm(exact, axis=1) * np.linalg.norm(rounded, axis=1)
    cosines = (exact * rounded).sum(1)[is_nonzero] / lengths[is_nonzero]
    assert (cosines > 0.999).all()
    assert (exact != rounded)[is_nonzero].any(1).all()
    names.multiply_in("float32")
    np.testing.assert_array_equal(names.encode(NAMES), exact)


def test_where_memory_is_short_half_as_many_names_are_read_at_once(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    convert_folder(source, tmp_path / "copy")
    names = TransformerNames.load(tmp_path / "copy")
    expected, pooled, read = names.encode(NAMES), TransformerNames.pooled, []

    def fits(most: int) -> None:
        def limited(self: TransformerNames, tokens: Any, weights: Any) -> torch.Tensor:
            read.append(len(tokens))
            if len(tokens) > most:
                raise torch.OutOfMemoryError("CUDA out of memory")
            return pooled(self, tokens, weights)

        monkeypatch.setattr(TransformerNames, "pooled", limited)

    fits(2)
    np.testing.assert_allclose(names.encode(NAMES), expected, atol=1e-5)
    assert read == [5, 2, 3, 1, 2]
    fits(0)
    with pytest.raises(torch.OutOfMemoryError):
        names.encode(NAMES)


def test_an_encoder_that_was_saved_is_no_transformer(tmp_path: Path) -> None:
    write(tmp_path / "out" / "chain", ["fever"], np.ones((1, 2), np.float32))
    for folder in (tmp_path / "out", tmp_path / "out" / "chain"):
        with pytest.raises(ValueError, match=r"saved or exported by this program.*trainer\.load"):
            convert_folder(folder, tmp_path / "copy")


def test_a_long_name_is_cut(source: Path, tmp_path: Path) -> None:
    convert_folder(source, tmp_path / "copy")
    names = TransformerNames.load(tmp_path / "copy")
    assert names.longest == 22  # 24 places, less two that some kinds leave out
    cut = names.encode(["fever " * 20, "fever " * 90])
    np.testing.assert_allclose(cut[0], cut[1], atol=1e-6)


def test_restricted_pickles_become_safetensors(source: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file

    old = tmp_path / "old"
    shutil.copytree(source, old)
    torch.save(load_file(old / "model.safetensors"), old / "pytorch_model.bin")
    (old / "model.safetensors").unlink()
    convert_folder(source, tmp_path / "new copy")
    convert_folder(old, tmp_path / "old copy")
    assert not list((tmp_path / "old copy").glob("*.bin"))
    copies = [
        TransformerNames.load(tmp_path / folder_name) for folder_name in ("new copy", "old copy")
    ]
    assert (copies[0].encode(NAMES) == copies[1].encode(NAMES)).all()


class Bomb:
    def __init__(self, file: Path):
        self.file = file

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.file,)


def test_nothing_that_a_folder_brings_is_run(source: Path, tmp_path: Path) -> None:
    sign = tmp_path / "it ran"
    pickled = tmp_path / "pickled"
    shutil.copytree(source, pickled)
    (pickled / "model.safetensors").unlink()
    (pickled / "pytorch_model.bin").write_bytes(pickle.dumps(Bomb(sign)))
    with pytest.raises(ValueError, match="the model cannot be read"):
        convert_folder(pickled, tmp_path / "copy")
    coded = tmp_path / "coded"
    shutil.copytree(source, coded)
    (coded / "code.py").write_text(f"open({str(sign)!r}, 'w')")
    config = json.loads((coded / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "code.C", "AutoModel": "code.M"}}
    (coded / "config.json").write_text(json.dumps(config))
    with pytest.raises(ValueError, match="the configuration cannot be read"):
        convert_folder(coded, tmp_path / "copy")
    assert not sign.exists()
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("config.json", r"has no config\.json"),
        ("model.safetensors", "has no weights"),
        ("vocab.txt", "has no tokenizer"),
    ],
)
def test_a_folder_that_lacks_a_part_is_refused(
    source: Path, tmp_path: Path, file: str, message: str
) -> None:
    part = tmp_path / "part"
    shutil.copytree(source, part)
    (part / file).unlink()
    with pytest.raises(ValueError, match=message) as caught:
        convert_folder(part, tmp_path / "copy")
    assert str(part) in str(caught.value)
    assert not (tmp_path / "copy").exists()


def test_damaged_and_misfitting_weights_are_refused(source: Path, tmp_path: Path) -> None:
    deep = tmp_path / "deep"
    shutil.copytree(source, deep)
    config = json.loads((deep / "config.json").read_text())
    (deep / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 3}))
    with pytest.raises(ValueError, match=r"do not fit config\.json: 16 are missing"):
        convert_folder(deep, tmp_path / "copy")
    (deep / "config.json").write_text(json.dumps({**config, "hidden_size": 8}))
    with pytest.raises(ValueError, match=r"cannot be read|do not fit"):
        convert_folder(deep, tmp_path / "copy")
    weights = source / "model.safetensors"
    (deep / "config.json").write_text("{")
    with pytest.raises(ValueError, match="the configuration cannot be read"):
        convert_folder(deep, tmp_path / "copy")
    (deep / "config.json").write_text(json.dumps(config))
    (deep / "model.safetensors").write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(ValueError, match="the model cannot be read"):
        convert_folder(deep, tmp_path / "copy")


def test_weights_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    from transformers import BertConfig, BertModel

    model = BertModel(BertConfig(**SIZES))
    with torch.no_grad():
        model.embeddings.word_embeddings.weight[VOCABULARY["viral"]] = torch.nan
    write_model(tmp_path / "nan", model)
    with pytest.raises(ValueError, match="not all finite"):
        convert_folder(tmp_path / "nan", tmp_path / "copy")


def test_models_that_are_no_encoders_are_refused(tmp_path: Path) -> None:
    from transformers import GPT2Config, GPT2Model, T5Config, T5Model

    size = SIZES["vocab_size"]
    write_model(
        tmp_path / "gpt2",
        GPT2Model(GPT2Config(vocab_size=size, n_embd=16, n_layer=2, n_head=2, n_positions=24)),
    )
    with pytest.raises(ValueError, match="from left to right only"):
        convert_folder(tmp_path / "gpt2", tmp_path / "copy")
    t5 = T5Config(vocab_size=size, d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2)
    write_model(tmp_path / "t5", T5Model(t5))
    with pytest.raises(ValueError, match="holds a t5 model, which is no encoder"):
        convert_folder(tmp_path / "t5", tmp_path / "copy")


def test_a_changed_copy_and_an_unknown_pooling_are_refused(source: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="one of mean, first, not 'last'"):
        convert_folder(source, tmp_path / "copy", pooling="last")
    convert_folder(source, tmp_path / "copy")
    (tmp_path / "copy" / "config.json").write_text("{}")
    with pytest.raises(ValueError, match="has changed"):
        representations.load(tmp_path / "copy")


def test_it_says_what_to_install(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(ValueError, match=r"pip install 'termexplorer\[transformers\]'"):
        convert_folder(source, tmp_path / "copy")
