"""Further processes that train with this one, started by it and ended with it."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from termexplorer.errors import UserError
from termexplorer.texts import tr
from termexplorer.trainer.tensors.cores import count_cores

if TYPE_CHECKING:
    from termexplorer.trainer.tensors.ranks import Ranks

_MODULE = "termexplorer.workers.train.ranks"
_END = 5.0  # seconds


@dataclass(frozen=True, slots=True)
class SharedTraining:
    """What the first process hands to the others.

    Attributes:
        arguments: of `trainer.training.run.train`, without device, control and ranks.
        device: that the first one trains on; the others take the next ones of its kind.
    """

    arguments: dict[str, Any]
    device: str


def check_devices(count: int, device: str) -> None:
    """Refuse more devices than there are.

    Raises:
        UserError: there are fewer.
    """
    import torch

    present = (os.cpu_count() or 1) if device == "cpu" else torch.cuda.device_count()
    if count > present:
        raise UserError(
            tr(
                "there are {present} devices of this kind here, not {count}; choose fewer by "
                "--devices",
                present=present,
                count=count,
            )
        )


@contextmanager
def started_ranks(count: int, shared: SharedTraining) -> "Iterator[Ranks | None]":
    """Have further processes train along; None where one device is enough.

    Args:
        count: of the devices.
        shared: what all of them train on.

    Raises:
        UserError: there are fewer devices.
    """
    if count == 1:
        yield None
        return
    import torch
    import torch.distributed as dist

    from termexplorer.trainer.tensors.ranks import join_ranks

    check_devices(count, shared.device)
    threads = max(1, count_cores() // count)
    before = torch.get_num_threads()
    environment = {
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(_find_free_port()),
        "WORLD_SIZE": str(count),
    }
    backend = "gloo" if shared.device == "cpu" else "nccl"
    helpers = [_start_rank(rank, backend, environment, threads) for rank in range(1, count)]
    os.environ.update(environment, RANK="0")
    torch.set_num_threads(threads)
    try:
        ranks = join_ranks(backend)
        ranks.send_all(shared)
        yield ranks
    finally:
        for process in helpers:
            _end_rank(process)
        if dist.is_initialized():
            dist.destroy_process_group()
        torch.set_num_threads(before)


def _start_rank(
    rank: int, backend: str, environment: dict[str, str], threads: int
) -> subprocess.Popen[bytes]:
    caps = {"OMP_NUM_THREADS": str(threads), "RANK": str(rank)}
    return subprocess.Popen(  # noqa: S603 - this program
        [sys.executable, "-m", _MODULE, backend],
        env={**os.environ, **environment, **caps},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _end_rank(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _find_free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def run_rank(backend: str) -> None:
    """Train along with the first process, which says what, and end with it.

    Args:
        backend: as all processes have it.
    """
    import torch

    from termexplorer.trainer.tensors.ranks import join_ranks
    from termexplorer.trainer.training.run import train

    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    if backend == "nccl":
        torch.cuda.set_device(int(os.environ["RANK"]))
    ranks = join_ranks(backend)
    shared: SharedTraining = ranks.send_all(None)
    device = "cpu" if shared.device == "cpu" else f"cuda:{ranks.number}"
    for _report in train(**shared.arguments, device=device, ranks=ranks):
        pass


if __name__ == "__main__":
    run_rank(sys.argv[1])
