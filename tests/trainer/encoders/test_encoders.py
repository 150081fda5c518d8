from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from termexplorer.trainer import encoders
from termexplorer.trainer.encoders import network
from termexplorer.trainer.encoders.network import DAN, FeedForwardEncoder, ResidualEncoder, Tape
from termexplorer.trainer.tensors.objectives import unit
from termexplorer.trainer.tensors.random_state import RandomState

KINDS = [ResidualEncoder, DAN]


def inputs(rows: int, width: int) -> Tensor:
    return unit(torch.randn(rows, width, generator=torch.Generator().manual_seed(5)))


def plain(encoder: FeedForwardEncoder, rows: Tensor, weights: list[Tensor], mask: Tensor) -> Tensor:
    """The papers' formula, for automatic differentiation."""
    w1, b1, w2, b2 = weights
    transformed = (torch.relu(rows @ w1.T + b1) * mask) @ w2 + b2
    return (transformed + rows) / 2 if isinstance(encoder, ResidualEncoder) else transformed


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dropout", [0.5, 0.25, 0.2, 0.0])
def test_gradients_by_hand_are_those_of_autograd(
    kind: type[FeedForwardEncoder], dropout: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "_BLOCK", 7)  # blocks that do not divide 40 units
    encoder = kind.initial(12, 40, RandomState(1, torch.device("cpu")))
    rows = inputs(9, 12)
    noise = RandomState(2, torch.device("cpu"))
    mask = noise.keep(9, 40, dropout) / noise.share_kept(dropout)
    weights = [weight.clone().requires_grad_() for weight in encoder.parameters()]
    expected = plain(encoder, rows, weights, mask)
    (expected**3).sum().backward()

    tape = Tape(encoder, RandomState(2, torch.device("cpu")), dropout)
    outputs = tape(rows)
    (outputs**3).sum().backward()
    tape.backward()
    torch.testing.assert_close(outputs.detach(), expected.detach())
    for gradient, weight in zip(encoder.gradients(), weights, strict=True):
        torch.testing.assert_close(gradient, weight.grad, atol=1e-5, rtol=1e-4)


def test_bfloat16_gradients_are_near() -> None:
    gradients = []
    for bfloat16 in (False, True):
        encoder = DAN.initial(16, 64, RandomState(1, torch.device("cpu")))
        encoder.bfloat16 = bfloat16
        tape = Tape(encoder, RandomState(2, torch.device("cpu")), 0.5)
        (tape(inputs(20, 16)) ** 2).sum().backward()
        tape.backward()
        gradients.append(encoder.gradients())
    for exact, near in zip(*gradients, strict=True):
        assert near.dtype == torch.float32
        assert float((exact - near).norm() / exact.norm()) < 0.02


@pytest.mark.parametrize("kind", KINDS)
def test_encoding_is_the_formula_without_dropout(kind: type[FeedForwardEncoder]) -> None:
    encoder = kind.initial(12, 40, RandomState(1, torch.device("cpu")))
    vectors = np.random.default_rng(0).normal(size=(10, 12)).astype(np.float32)
    vectors[3] = 0
    encoded = encoder.encode(vectors)
    rows = unit(torch.from_numpy(vectors))
    expected = plain(encoder, rows, encoder.parameters(), torch.ones(1))
    expected[3] = 0  # nothing is known of such a name, so nothing is made up
    np.testing.assert_allclose(encoded, expected.numpy(), atol=1e-5)
    assert encoder.encode(vectors[:0]).shape == (0, 12)
    with pytest.raises(ValueError, match=r"takes \(n, 12\)"):
        encoder.encode(vectors[:, :5])


@pytest.mark.parametrize("kind", KINDS)
def test_a_saved_encoder_encodes_the_same(kind: type[FeedForwardEncoder], tmp_path: Path) -> None:
    encoder = kind.initial(12, 40, RandomState(1, torch.device("cpu")))
    encoder.save(tmp_path / "encoder")
    vectors = np.random.default_rng(0).normal(size=(10, 12)).astype(np.float32)
    for folder in (tmp_path / "encoder", str(tmp_path / "encoder")):
        again = encoders.load(folder)
        assert type(again) is kind
        assert encoders.is_encoder(folder)
        assert (again.encode(vectors) == encoder.encode(vectors)).all()


def test_a_changed_or_foreign_encoder_is_refused(tmp_path: Path) -> None:
    DAN.initial(12, 40, RandomState(1, torch.device("cpu"))).save(tmp_path / "encoder")
    with pytest.raises(ValueError, match="not 'residual'"):
        ResidualEncoder.load(tmp_path / "encoder")
    file = tmp_path / "encoder" / "weights.safetensors"
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    with pytest.raises(ValueError, match="has changed"):
        encoders.load(tmp_path / "encoder")
    file.write_bytes(b"short")
    with pytest.raises(ValueError, match="damaged"):
        encoders.load(tmp_path / "encoder", verify=False)
    with pytest.raises(ValueError, match="missing or damaged"):
        encoders.load(tmp_path / "none")


def test_initial_weights_stay_within_their_bounds() -> None:
    encoder = DAN.initial(25, 100, RandomState(0, torch.device("cpu")))
    assert float(encoder.w1.abs().max()) <= 0.2
    assert float(encoder.w2.abs().max()) <= 0.1
    assert float(encoder.w1.std()) == pytest.approx(0.2 / 3**0.5, rel=0.05)


@pytest.mark.parametrize("rate", [0.5, 0.25, 0.1])
def test_masks_leave_out_the_share_asked_for(rate: float) -> None:
    mask = RandomState(0, torch.device("cpu")).keep(400, 333, rate)
    assert mask.dtype == torch.bool
    assert float(mask.float().mean()) == pytest.approx(1 - rate, abs=0.01)


@pytest.mark.parametrize("rate", [0.0, 0.001, 0.2, 0.5, 0.99, 0.999])
def test_what_is_kept_is_scaled_by_the_share_that_is(rate: float) -> None:
    noise = RandomState(0, torch.device("cpu"))
    kept_share = noise.keep(2_000, 1_000, rate).float().mean() / noise.share_kept(rate)
    assert float(kept_share) == pytest.approx(1, abs=0.05)


def test_some_places_are_left_whatever_the_rate() -> None:
    assert RandomState(0, torch.device("cpu")).keep(400, 333, 0.9999).any()


def test_random_numbers_go_on_from_a_state() -> None:
    noise = RandomState(0, torch.device("cpu"))
    noise.keep(3, 5, 0.3)
    state = noise.state()
    first = (noise.keep(4, 9, 0.5), noise.uniform(5), noise.permutation(7))
    other = RandomState(9, torch.device("cpu"))
    other.restore(*state)
    again = (other.keep(4, 9, 0.5), other.uniform(5), other.permutation(7))
    assert all(torch.equal(left, right) for left, right in zip(first, again, strict=True))
