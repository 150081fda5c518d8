"""What does not fit into a GPU's memory: in smaller batches, at last on the CPU."""

import gc
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from termexplorer.trainer.errors import Message
from termexplorer.workers.process import kept_texts

Result = TypeVar("Result")


def within_memory(
    recipe: Any, device: str, train: Callable[[Any, str], Result], say: Callable[[Message], None]
) -> Result:
    """Trains with the batch that fits, halved as often as need be, or else on the CPU.

    Args:
        recipe: with its own batch.
        device: to begin with.
        train: is handed a recipe and a device, and begins anew each time.
        say: is told what was changed, in a sentence.

    Raises:
        MemoryError: this machine's own memory does not suffice.
    """
    asked, device_asked = recipe, device
    while True:
        try:
            return train(recipe, device)
        except RuntimeError as error:
            if _is_too_large_here(error):
                raise MemoryError from error
            if device == "cpu" or not _is_out_of_memory(error):
                raise
        _free_gpu_memory()
        batch = _halve_batch(recipe)
        if batch:
            recipe = replace(recipe, batch=batch)
            say(Message(kept_texts.SMALLER, device=device, batch=batch))
        else:
            recipe, device = asked, "cpu"
            say(Message(kept_texts.ON_CPU, device=device_asked))


def or_given_way(work: Callable[[], Result], give_way: Callable[[], bool]) -> Result:
    """What work comes to, a second time where a GPU's memory did not suffice for the first.

    Args:
        work: done once or twice.
        give_way: called before the second time; whether it could make room.
    """
    try:
        return work()
    except RuntimeError as error:
        if not _is_out_of_memory(error) or _is_too_large_here(error) or not give_way():
            raise
    _free_gpu_memory()
    return work()


def _is_out_of_memory(error: RuntimeError) -> bool:
    import torch

    return isinstance(error, torch.cuda.OutOfMemoryError) or "out of memory" in str(error)


def _is_too_large_here(error: RuntimeError) -> bool:
    """Whether this machine's own memory does not suffice, or no machine's would."""
    return "DefaultCPUAllocator" in str(error) or "calculation overflowed" in str(error)


def _halve_batch(recipe: Any) -> int:
    """Half the batch; that of the paper where all names are taken at once; 0 where none is left."""
    batch = recipe.batch
    if batch is None:
        return 0
    return int(batch // 2) if batch else int(type(recipe).paper().batch)


def _free_gpu_memory() -> None:
    """Gives back what the attempt that failed had taken."""
    import torch

    gc.collect()
    torch.cuda.empty_cache()
