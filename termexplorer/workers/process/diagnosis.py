"""The child that measures the devices: it alone imports torch."""

from dataclasses import dataclass

from termexplorer.texts import tr
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.devices import devices

_SIDE = 2048  # of the matrices


@dataclass(frozen=True, slots=True)
class Device:
    """A device that trains, with its measured rates of matrix products of 2,048 × 2,048.

    Attributes:
        key: as `--device` names it.
        name: for people.
        float32: operations in a second.
        bfloat16: the same; 0 where the processor has no instructions for it.
        threads: that torch uses there; 0 for a GPU.
    """

    key: str
    name: str
    float32: float
    bfloat16: float
    threads: int


def run_diagnosis(_request: None, channel: Channel) -> tuple[Device, ...]:
    """Measures every device."""
    channel.progress(None, tr("Importing PyTorch"))
    available = [(key, name) for key, name in devices(None, channel) if key != "auto"]
    results = []
    for number, (key, name) in enumerate(available):
        channel.progress(number / len(available), tr("Measuring {name}", name=name))
        results.append(_measure_device(key, name))
    return tuple(results)


def _measure_device(key: str, name: str) -> Device:
    import torch

    from termexplorer.trainer.tensors.matmul_speed import product_rate

    on_cpu = key == "cpu"
    offered = not on_cpu or torch.ops.mkldnn._is_mkldnn_bf16_supported()
    shape = (_SIDE, _SIDE, _SIDE)
    return Device(
        key,
        name,
        product_rate(*shape, torch.float32, key),
        product_rate(*shape, torch.bfloat16, key) if offered else 0.0,
        torch.get_num_threads() if on_cpu else 0,
    )
