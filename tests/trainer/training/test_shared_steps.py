"""Two processes that train one encoder come to what one does, by every recipe with epochs."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rank_processes import train_together
from small_recipes import SMALL, give, run_recipe, write_transformer

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.training.closed_form import ClosedForm
from termexplorer.trainer.training.epochs import EpochReport

NAMES = [name for name, recipe in sorted(SMALL.items()) if not isinstance(recipe, ClosedForm)]


@pytest.fixture(scope="module")
def transformer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers")
    return write_transformer(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="module")
def together(
    tmp_path_factory: pytest.TempPathFactory, transformer: Path
) -> dict[str, list[list[EpochReport]]]:
    """The reports of two processes by recipe; they are started once, as that takes long."""
    return train_together(NAMES, 2, tmp_path_factory.mktemp("together"), transformer)


@pytest.mark.parametrize("name", NAMES)
def test_two_processes_come_to_what_one_does(
    name: str,
    together: dict[str, list[list[EpochReport]]],
    tmp_path: Path,
    transformer: Path,
) -> None:
    alone = run_recipe(SMALL[name], give(name, transformer), tmp_path, "cpu")
    for reports in together[name]:
        assert len(reports) == len(alone) >= 1
        for report, expected in zip(reports, alone, strict=True):
            assert report.losses == pytest.approx(expected.losses, rel=1e-5, abs=1e-5)
            assert report.validation == pytest.approx(expected.validation, abs=1e-5)
            assert report.best_epoch == expected.best_epoch


def test_what_is_computed_in_one_go_is_not_shared(tmp_path: Path, transformer: Path) -> None:
    ranks: Any = SimpleNamespace(number=0, count=2)
    with pytest.raises(TrainerError, match="in one go, on one device"):
        run_recipe(SMALL["sif"], give("sif", transformer), tmp_path, "cpu", ranks=ranks)
