"""Processes that train one encoder together, for tests of the trainer."""

import multiprocessing
import os
import pickle
import socket
from collections.abc import Sequence
from pathlib import Path

from small_recipes import SMALL, give, run_recipe

from termexplorer.trainer.tensors.ranks import join_ranks
from termexplorer.trainer.training.epochs import EpochReport


def train_together(
    names: Sequence[str], processes: int, folder: Path, transformer: Path
) -> dict[str, list[list[EpochReport]]]:
    """Train by recipes in several processes; return each process's reports by recipe."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = int(listener.getsockname()[1])
    context = multiprocessing.get_context("spawn")
    workers = [
        context.Process(
            target=_train_rank, args=(rank, processes, port, names, folder, transformer)
        )
        for rank in range(processes)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * processes
    reports = [pickle.loads((folder / f"{rank}").read_bytes()) for rank in range(processes)]  # noqa: S301
    return {name: [by_recipe[name] for by_recipe in reports] for name in names}


def _train_rank(
    rank: int, processes: int, port: int, names: Sequence[str], folder: Path, transformer: Path
) -> None:
    where = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    os.environ.update(where, RANK=str(rank), WORLD_SIZE=str(processes))
    ranks = join_ranks("gloo")
    reports = {
        name: run_recipe(
            SMALL[name], give(name, transformer), folder / f"{name}-together", "cpu", ranks=ranks
        )
        for name in names
    }
    (folder / f"{rank}").write_bytes(pickle.dumps(reports))
