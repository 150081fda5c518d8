"""What a run can be trained on: this machine's processor, and its graphics processors."""

import os
import platform

from termexplorer.errors import UserError
from termexplorer.texts import tr
from termexplorer.workers.process.child import Channel

AUTO = "auto"
ALL_GPUS = "gpus"


def devices(_request: None, _channel: Channel) -> tuple[tuple[str, str], ...]:
    """(id, description) of every device that can be trained on."""
    import torch

    choices = [(AUTO, "Auto"), ("cpu", f"CPU, {os.cpu_count()} cores")]
    if torch.cuda.device_count() > 1:
        choices.append((ALL_GPUS, tr("All {n} GPUs here", n=torch.cuda.device_count())))
    for number in range(torch.cuda.device_count()):
        properties = torch.cuda.get_device_properties(number)
        size = properties.total_memory / (1 << 30)
        choices.append((f"cuda:{number}", f"{properties.name}, {size:.0f} GiB"))
    return tuple(choices)


def usual_device() -> str:
    """What PyTorch calls the device that is used where nobody chose one."""
    import torch

    return "cuda:0" if torch.cuda.device_count() else "cpu"


def checked_device(wanted: str, channel: Channel) -> str:
    """What PyTorch calls a device: auto, cpu, cuda, cuda:N, or gpus, of which it is the first.

    Raises:
        UserError: it is not there.
    """
    if wanted == AUTO:
        return usual_device()
    available = [device for device, _ in devices(None, channel)]
    gpus = [device for device in available if device.startswith("cuda")]
    if wanted == ALL_GPUS and gpus:
        return gpus[0]
    if wanted in available or (wanted == "cuda" and gpus):
        return wanted
    if (wanted.startswith("cuda") or wanted == ALL_GPUS) and not gpus:
        raise UserError(tr("PyTorch finds no CUDA GPU here; choose the device cpu or auto"))
    raise UserError(
        tr(
            "there is no device {device} here; choose one of {devices}",
            device=wanted,
            devices=", ".join(available),
        )
    )


def count_devices(wanted: str, count: int) -> int:
    """Return how many devices train together, of those that were asked for."""
    if wanted != ALL_GPUS:
        return count
    import torch

    return max(torch.cuda.device_count(), 1)


def device_name(device: str) -> str:
    """What a run's card calls a device of PyTorch's."""
    if device == "cpu":
        return f"cpu ({platform.machine()}, {os.cpu_count()} cores)"
    import torch

    return f"{device} ({torch.cuda.get_device_name(device)})"
