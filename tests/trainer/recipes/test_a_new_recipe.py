"""The worked example of how a method is added, see ``trainer.recipes``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from scaled_dimensions import ScaledDimensions, ScaledEncoder
from trainer_controls import After

from termexplorer import trainer
from termexplorer.trainer import encoders
from termexplorer.trainer.recipes.base import meanings, settings
from termexplorer.trainer.representations.matrix import convert_matrix


@pytest.fixture
def data(tmp_path: Path) -> trainer.Data:
    """Names of which only the first two of twenty dimensions tell the class."""
    rng = np.random.default_rng(0)
    names = [f"name {number}" for number in range(600)]
    vectors = rng.normal(size=(600, 20))
    vectors[:, :2] += 2 * np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])[np.arange(600) % 4]
    np.save(tmp_path / "rows.npy", vectors)
    (tmp_path / "names.txt").write_text("\n".join(names))
    convert_matrix(tmp_path / "rows.npy", tmp_path / "names.txt", tmp_path / "matrix")
    labels = trainer.labelled({str(number): names[number::4] for number in range(4)})
    return trainer.Data(labels, trainer.hls_split(labels, 15, 10, 0), tmp_path / "matrix")


def test_it_learns_and_is_kept_like_the_others(
    data: trainer.Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(encoders._KINDS, "scaled", ("scaled_dimensions", "ScaledEncoder"))
    reports = list(trainer.train(ScaledDimensions(), data, state_dir=tmp_path / "run"))
    assert max(report.validation for report in reports) > 0.6
    best = encoders.load(tmp_path / "run" / "best")
    assert isinstance(best, ScaledEncoder)
    scales = best.scales.detach().exp()
    assert float(scales[:2].min()) > 3 * float(scales[2:].max())
    encoder = trainer.load(tmp_path / "run", device="cpu")
    after, before = (
        trainer.evaluate("ranking", representation, data)[0].value
        for representation in (encoder, data.encoder)
    )
    assert after > before + 0.1


def test_a_stopped_run_of_it_goes_on_as_if_it_had_not_been(
    data: trainer.Data, tmp_path: Path
) -> None:
    whole = list(trainer.train(ScaledDimensions(maximum_epochs=3), data))

    parts: list[trainer.training.run.EpochReport] = []
    for control, resume in ((After(7), False), (None, True)):
        options = {"state_dir": tmp_path / "run", "control": control, "resume": resume}
        parts += trainer.train(ScaledDimensions(maximum_epochs=3), data, **options)
    assert [report.losses for report in parts] == [report.losses for report in whole]


def test_its_settings_explain_themselves() -> None:
    recipe = ScaledDimensions()
    assert settings(recipe)["recipe"] == "scaled"
    assert set(meanings(recipe)) == set(settings(recipe)) - {"recipe"}
    assert torch.equal(ScaledEncoder(torch.zeros(3))(torch.ones(3)), torch.ones(3))
