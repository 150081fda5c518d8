"""The number format of matrix products: measured once on a machine, then kept.

A format that is measured anew could differ from run to run, and so could their figures.
"""

import json
import logging
import platform
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.files import atomic_write

_log = logging.getLogger(__name__)
_FILE = "precision.json"
_CHECK = "check"  # the key of the checksum of all others
_FORMATS = ("float32", "bfloat16")
_NARROW = 256  # a transformer of less width reads fast in any format


def settled(recipe: Any, dimension: int, device: str, workspace: Path) -> Any:
    """The recipe with `auto` replaced by what pays for its shapes on this machine."""
    from termexplorer.trainer.training.run import settled_precision

    if recipe.precision != "auto":
        return recipe
    precision = _read_or_measure(
        f"{device} {recipe.name} {recipe.hidden} x {dimension}",
        lambda: settled_precision(recipe, dimension, device),
        workspace,
    )
    return replace(recipe, precision=precision)


def settle_reading(names: object, workspace: Path) -> None:
    """Let a transformer read names in the number format that pays for its width on this machine.

    Args:
        names: a pretrained representation; one that is no transformer is left as it is.
        workspace: the folder where the answer is kept.
    """
    from termexplorer.trainer.representations.transformer import TransformerNames
    from termexplorer.trainer.tensors.matmul_speed import paying_precision

    if not isinstance(names, TransformerNames) or names.dimension < _NARROW:
        return
    width, device = names.dimension, str(names.device)
    key = " ".join((device, "transformer", str(width)))
    measured = partial(paying_precision, width, 4 * width, device)  # a layer's inner part
    names.multiply_in(_read_or_measure(key, measured, workspace))


def _read_or_measure(key: str, measured: Callable[[], str], workspace: Path) -> str:
    """What is kept under `key` for this machine, measured if need be."""
    file, key = workspace / _FILE, f"{platform.node()} {key}"
    if (known := _read_known(file).get(key)) in _FORMATS:
        return known
    precision = measured()
    known_formats = _read_known(file)
    if (known := known_formats.get(key)) in _FORMATS:
        return known  # another process measured meanwhile, and all obey the first
    # a full disk is told by what has more to write
    with suppress(UserError), atomic_write(file) as fresh:
        known_now = known_formats | {key: precision}
        checked = known_now | {_CHECK: _sum_known(known_now)}
        fresh.write_text(json.dumps(checked, indent=1), "utf-8")
    return precision


def _read_known(file: Path) -> dict[str, str]:
    """Return what was measured; nothing where the file is not what was written."""
    try:
        stored = json.loads(file.read_text("utf-8"))
        if not isinstance(stored, dict):
            raise TypeError
        check = stored.pop(_CHECK, None)  # files of before it have none
        if check not in (None, _sum_known(stored)):
            raise ValueError
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, RecursionError):
        _log.warning("%s was damaged: the number formats are measured anew", file)
        return {}
    return stored


def _sum_known(known: dict[str, str]) -> int:
    return zlib.crc32(json.dumps(known, sort_keys=True).encode("ascii"))
