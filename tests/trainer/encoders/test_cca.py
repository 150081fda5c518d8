from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import cross_decomposition
from torch import Tensor
from trainer_toy import Toy

from termexplorer.trainer import encoders
from termexplorer.trainer.data.splits import TRAIN, VALIDATION
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.cca import CCA, fit, fit_to
from termexplorer.trainer.encoders.network import DAN
from termexplorer.trainer.tensors.objectives import unit
from termexplorer.trainer.tensors.random_state import RandomState

CPU = torch.device("cpu")


def related(rows: int, width: int, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Names near their concepts, at unit length."""
    rng = np.random.default_rng(seed)
    concepts = rng.normal(size=(rows // 3 + 1, width)) @ rng.normal(size=(width, width))
    of = np.arange(rows) // 3
    names = concepts[of] + rng.normal(size=(rows, width)) * np.linspace(0.5, 3, width)
    return unit(torch.from_numpy(names)), unit(torch.from_numpy(concepts[of]))


def raw(cca: CCA, rows: Tensor, side: int) -> np.ndarray:
    """Projected rows before they are brought to unit length."""
    return ((rows - cca.means[side].double()) @ cca.matrices[side].double()).numpy()


def test_it_is_what_the_textbook_says() -> None:
    names, concepts = related(400, 7)
    cca = fit(names, concepts, shrinkage=(0, 0))
    x, y = (side.numpy() - side.numpy().mean(0) for side in (names, concepts))
    xx, yy, xy = x.T @ x / 400, y.T @ y / 400, x.T @ y / 400
    squares = np.linalg.eigvals(np.linalg.solve(xx, xy) @ np.linalg.solve(yy, xy.T))
    expected = np.sqrt(np.sort(squares.real)[::-1])
    np.testing.assert_allclose(cca.correlations.numpy(), expected, rtol=1e-4)
    assert (np.diff(cca.correlations.numpy()) <= 0).all()
    left, right = raw(cca, names, 0), raw(cca, concepts, 1)
    np.testing.assert_allclose(left.T @ left / 400, np.eye(7), atol=1e-4)
    np.testing.assert_allclose(right.T @ right / 400, np.eye(7), atol=1e-4)
    np.testing.assert_allclose(left.T @ right / 400, np.diag(expected), atol=1e-4)


def test_it_finds_the_correlations_that_scikit_learn_finds() -> None:
    names, concepts = (side.numpy() for side in related(300, 5))
    peer = cross_decomposition.CCA(n_components=5, max_iter=5000, tol=1e-10)
    left, right = peer.fit_transform(names, concepts)
    expected = [np.corrcoef(left[:, k], right[:, k])[0, 1] for k in range(5)]
    cca = fit(torch.from_numpy(names), torch.from_numpy(concepts), shrinkage=(0, 0))
    np.testing.assert_allclose(cca.correlations.numpy(), expected, atol=1e-4)
    ours = raw(cca, torch.from_numpy(names), 0)
    for k in range(5):
        assert abs(np.corrcoef(left[:, k], ours[:, k])[0, 1]) == pytest.approx(1, abs=1e-3)


def test_fewer_names_than_dimensions_are_regularised() -> None:
    names, concepts = related(12, 40)
    cca = fit(names, concepts)
    assert all(0.01 < share <= 1 for share in cca.shrinkage)
    assert ((cca.correlations >= 0) & (cca.correlations <= 1)).all()
    assert torch.isfinite(cca.matrices).all()
    many = fit(*related(4000, 40))
    assert all(1e-6 <= share < 0.05 for share in many.shrinkage)
    other_names, _ = related(60, 40, seed=1)
    assert torch.isfinite(cca.names(other_names.float())).all()


def test_a_few_concepts_repeated_often_are_no_trouble() -> None:
    names, concepts = related(600, 20)
    cca = fit(names, concepts[torch.arange(600) % 4])
    assert torch.isfinite(cca.matrices).all()
    assert ((cca.correlations >= 0) & (cca.correlations <= 1)).all()


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1000), st.integers(4, 60), st.integers(2, 12))
def test_what_does_not_matter_does_not_matter(seed: int, rows: int, width: int) -> None:
    """Order of the names, how often all are given, and a rotation of the space."""
    names, concepts = related(rows, width, seed)
    shrinkage = (0.1, 0.1)
    usual = cosines(fit(names, concepts, shrinkage=shrinkage), names)
    order = torch.randperm(rows, generator=torch.Generator().manual_seed(seed))
    shuffled = fit(names[order], concepts[order], shrinkage=shrinkage)
    np.testing.assert_allclose(cosines(shuffled, names), usual, atol=1e-3)
    twice = fit(torch.cat((names, names)), torch.cat((concepts, concepts)), shrinkage=shrinkage)
    np.testing.assert_allclose(cosines(twice, names), usual, atol=1e-3)
    turn, _ = torch.linalg.qr(torch.randn(width, width, dtype=torch.float64))
    turned = fit(names @ turn, concepts @ turn, shrinkage=shrinkage)
    np.testing.assert_allclose(cosines(turned, names @ turn), usual, atol=1e-3)


def cosines(cca: CCA, names: Tensor) -> np.ndarray:
    projected = cca.names(names.float())
    return (projected @ projected.T).numpy()


def test_a_power_weighs_the_dimensions_by_their_correlation() -> None:
    names, concepts = related(300, 6)
    plain, weighted = fit(names, concepts), fit(names, concepts, power=2)
    expected = plain.matrices * plain.correlations**2
    torch.testing.assert_close(weighted.matrices, expected)


def test_zero_rows_teach_nothing_and_stay_zero() -> None:
    names, concepts = related(90, 6)
    nought = torch.zeros(1, 6, dtype=torch.float64)
    more = fit(torch.cat((names, nought)), torch.cat((concepts, concepts[:1])))
    torch.testing.assert_close(more.matrices, fit(names, concepts).matrices)
    assert not more.names(nought.float()).any()
    assert not more.encode(np.zeros((3, 6), dtype=np.float32)).any()


@pytest.mark.parametrize(
    ("names", "concepts", "message"),
    [
        (torch.ones(3, 4), torch.ones(3, 5), "do not fit"),
        (torch.ones(1, 4), torch.ones(1, 4), "at least two"),
        (torch.zeros(9, 4), torch.zeros(9, 4), "at least two"),
        (torch.ones(9, 4), torch.eye(9)[:, :4] + 1, "all alike"),
        (torch.full((9, 4), torch.nan), torch.ones(9, 4), "finite"),
    ],
)
def test_what_has_no_correlations_is_refused(names: Tensor, concepts: Tensor, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fit(names, concepts)


def prepared(toy: Toy) -> TrainingData:
    parts = np.full(len(toy.labels.names), TRAIN, dtype=np.uint8)
    parts[::7] = VALIDATION
    return TrainingData.prepare(toy.labels, parts, toy.vectors, CPU)


def test_it_is_fitted_to_training_names_with_each_of_their_concepts(toy: Toy) -> None:
    data = prepared(toy)
    training = np.arange(len(toy.labels.names)) % 7 != 0
    membership = toy.labels.membership().toarray()[training]
    of, numbers = np.nonzero(membership)
    expected = fit(data.names[torch.from_numpy(of)], data.prototypes[torch.from_numpy(numbers)])
    torch.testing.assert_close(fit_to(data).matrices, expected.matrices)


def test_a_saved_projection_encodes_the_same_and_says_how_it_was_fitted(
    toy: Toy, tmp_path: Path
) -> None:
    cca = fit_to(prepared(toy), power=1)
    cca.save(tmp_path / "cca")
    again = encoders.load(tmp_path / "cca")
    assert isinstance(again, CCA)
    assert (again.encode(toy.vectors) == cca.encode(toy.vectors)).all()
    assert (again.encode(3 * toy.vectors) == cca.encode(3 * toy.vectors)).all()
    assert again.facts() == cca.facts()
    assert cca.facts()["power"] == 1
    assert set(cca.facts()["shrinkage"]) == {"names", "concepts"}
    torch.testing.assert_close(again.correlations, cca.correlations)
    with pytest.raises(ValueError, match=r"takes \(n, 16\)"):
        again.encode(toy.vectors[:, :5])


def test_a_network_over_projected_names_keeps_the_projection(toy: Toy, tmp_path: Path) -> None:
    data = prepared(toy)
    cca = fit_to(data)
    encoder = DAN.initial(16, 40, RandomState(0, CPU), cca)
    expected = encoder.encode_units(cca.names(data.names))
    vectors = 5 * data.names.numpy()
    np.testing.assert_allclose(encoder.encode(vectors), expected.numpy(), atol=1e-5)
    encoder.save(tmp_path / "dan")
    again = encoders.load(tmp_path / "dan")
    assert (again.encode(vectors) == encoder.encode(vectors)).all()
    assert isinstance(again, DAN)
    assert again.projection is not None
    assert again.projection.facts() == cca.facts()


def test_a_projection_is_not_taken_for_a_network(toy: Toy, tmp_path: Path) -> None:
    fit_to(prepared(toy)).save(tmp_path / "cca")
    with pytest.raises(ValueError, match="not 'dan'"):
        DAN.load(tmp_path / "cca")
    DAN.initial(16, 40, RandomState(0, CPU)).save(tmp_path / "dan")
    with pytest.raises(ValueError, match="not 'cca'"):
        CCA.load(tmp_path / "dan")
