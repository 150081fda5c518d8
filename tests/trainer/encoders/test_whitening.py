from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from grounding_steps import synonym_sets
from hypothesis import given
from hypothesis import strategies as st

from termexplorer import trainer
from termexplorer.trainer import encoders
from termexplorer.trainer.data.splits import concept_split
from termexplorer.trainer.encoders.whitening import Whitening, fit
from termexplorer.trainer.recipes.whitening import Whiten
from termexplorer.trainer.tensors.objectives import unit


def some_names(count: int = 200, width: int = 6, seed: int = 0) -> torch.Tensor:
    rng = np.random.default_rng(seed)
    mixed = rng.normal(size=(count, width)) * np.linspace(0.2, 3, width) + 2
    return unit(torch.from_numpy(mixed @ rng.normal(size=(width, width))))


def moved(names: torch.Tensor, whitening: Whitening) -> np.ndarray:
    """Mapped names before they are brought to unit length."""
    return ((names - whitening.mean.double()) @ whitening.matrix.double()).numpy()


@pytest.mark.parametrize(("power", "left"), [(0.0, 1.0), (0.25, 0.5), (0.5, 0.0)])
def test_each_direction_keeps_that_power_of_its_variance(power: float, left: float) -> None:
    names = some_names()
    rows = moved(names, fit(names, power))
    np.testing.assert_allclose(rows.mean(axis=0), 0, atol=1e-5)
    before = np.linalg.eigvalsh(np.cov(names.numpy().T, bias=True))
    after = np.linalg.eigvalsh(np.cov(rows.T, bias=True))
    np.testing.assert_allclose(after, np.sort(before**left), rtol=1e-3)


def test_half_of_it_twice_is_all_of_it() -> None:
    names = some_names()
    half, whole = fit(names, 0.25).matrix.double(), fit(names, 0.5).matrix.double()
    np.testing.assert_allclose(half @ half, whole, rtol=1e-3, atol=1e-3)


@given(st.floats(0, 0.5), st.integers(0, 5))
def test_names_end_at_unit_length_and_nothing_stays_nothing(power: float, seed: int) -> None:
    names = torch.cat((some_names(20, 30, seed), torch.zeros(2, 30)))  # fewer than dimensions
    whitening = fit(names, power)
    encoded = whitening.encode(7 * names.float().numpy())
    np.testing.assert_allclose(np.linalg.norm(encoded[:-2], axis=1), 1, atol=1e-4)
    assert not encoded[-2:].any()


def test_what_cannot_be_whitened_is_refused() -> None:
    with pytest.raises(ValueError, match="choose 0"):
        fit(some_names(), 0.6)
    for alike in (torch.zeros(4, 3), torch.ones(4, 3)):
        with pytest.raises(ValueError, match="all alike"):
            fit(alike, 0.25)
    with pytest.raises(ValueError, match="does not fit"):
        Whitening(torch.zeros(3), torch.zeros(2, 2), 0.5)


def test_a_run_of_it_is_one_epoch_and_opens_again(tmp_path: Path) -> None:
    labels, vectors = synonym_sets()
    data = trainer.Data(labels, concept_split(labels, 0.1, 1, 1, 0), vectors=vectors)
    (report,) = trainer.train(Whiten(power=0.3), data, state_dir=tmp_path, device="cpu")
    opened = encoders.load(tmp_path / "best")
    assert isinstance(opened, Whitening)
    assert opened.power == 0.3
    assert report.losses == {"mean length": float(opened.mean.norm())}
    assert 0 < report.validation < 1
