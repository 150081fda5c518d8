"""Steps that tests of training share with others."""

from __future__ import annotations

from termexplorer.trainer.training.run import EpochReport


def figures(reports: list[EpochReport]) -> list[tuple[int, dict[str, float], float, int]]:
    return [(r.epoch, r.losses, r.validation, r.best_epoch) for r in reports]
