"""Further processes that train with this one, started by it and ended with it."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from termexplorer.errors import UserError
from termexplorer.texts import tr
from termexplorer.trainer.tensors.cores import count_cores
from termexplorer.workers.process.child import trainer_errors

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


def count_given() -> int:
    """Return how many processes torchrun, or a job of a cluster, has begun; 1: none did."""
    return int(os.environ.get("WORLD_SIZE", "1")) if "RANK" in os.environ else 1


def is_further_rank() -> bool:
    """Whether this process was begun to train along with a first one."""
    return count_given() > 1 and os.environ["RANK"] != "0"


@contextmanager
def started_ranks(count: int, shared: SharedTraining) -> "Iterator[Ranks | None]":
    """Have further processes train along; None where one device is enough.

    Processes that torchrun began are taken, where it did, whatever the count.

    Args:
        count: of the devices.
        shared: what all of them train on.

    Raises:
        UserError: there are fewer devices.
    """
    import torch

    if count_given() > 1:
        torch.set_num_threads(_count_threads())
        with _joined_ranks(shared) as ranks:
            yield ranks
        return
    if count == 1:
        yield None
        return
    check_devices(count, shared.device)
    threads = max(1, count_cores() // count)
    before, previous = torch.get_num_threads(), dict(os.environ)
    environment = {
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(_find_free_port()),
        "WORLD_SIZE": str(count),
    }
    helpers = [_start_rank(rank, environment, threads) for rank in range(1, count)]
    os.environ.update(environment, RANK="0")
    torch.set_num_threads(threads)
    try:
        with _joined_ranks(shared) as ranks:
            yield ranks
    finally:
        for process in helpers:
            _end_rank(process)
        torch.set_num_threads(before)
        for name in (*environment, "RANK"):
            os.environ.pop(name)
        os.environ.update({name: previous[name] for name in environment if name in previous})


@contextmanager
def _joined_ranks(shared: SharedTraining) -> "Iterator[Ranks]":
    import torch.distributed as dist

    from termexplorer.trainer.tensors.ranks import join_ranks

    try:
        ranks = join_ranks(_choose_backend())
        ranks.send_all(shared)
        yield ranks
    finally:
        if dist.is_initialized():
            dist.destroy_process_group()


def _count_threads() -> int:
    """Return how many threads a process that was begun from outside has."""
    processes = int(os.environ.get("LOCAL_WORLD_SIZE", "1"))
    return int(os.environ.get("OMP_NUM_THREADS") or max(1, count_cores() // processes))


def _choose_backend() -> str:
    """Return PyTorch's backends, the same in all processes."""
    import torch

    return "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"


def _start_rank(rank: int, environment: dict[str, str], threads: int) -> subprocess.Popen[bytes]:
    caps = {"OMP_NUM_THREADS": str(threads), "RANK": str(rank), "LOCAL_RANK": str(rank)}
    return subprocess.Popen(  # noqa: S603 - this program
        [sys.executable, "-m", _MODULE],
        env={**os.environ, **environment, **caps},
        stdin=subprocess.PIPE,  # which ends with this process, however that ends
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _end_rank(process: subprocess.Popen[bytes]) -> None:
    with process:
        try:
            process.wait(_END)
        except subprocess.TimeoutExpired:
            process.kill()


def _find_free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def run_rank() -> None:
    """Train along with the first process, which says what, and end with it.

    Raises:
        UserError: the first process is gone, or has other data than this one can train on.
    """
    import torch

    from termexplorer.trainer.tensors.ranks import join_ranks
    from termexplorer.trainer.training.run import train

    torch.set_num_threads(_count_threads())
    here = int(os.environ.get("LOCAL_RANK", "0"))
    if torch.cuda.is_available():
        torch.cuda.set_device(here)
    with trainer_errors():
        ranks = join_ranks(_choose_backend())
        shared: SharedTraining = ranks.send_all(None)
        device = "cpu" if shared.device == "cpu" else f"cuda:{here}"
        for _report in train(**shared.arguments, device=device, ranks=ranks):
            pass


def _end_with_starter() -> None:
    """End this process when the one that started it is gone, whatever is waited for meanwhile."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_starter, daemon=True).start()
    run_rank()
