"""How a child process is started."""

import sys
import threading
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

_STARTING = threading.Lock()


def start(process: "SpawnProcess") -> None:
    """Starts a child that does not import the program that starts it.

    A child needs nothing of that, but would import it before it can give up its priority, and
    hold up the window for so long.
    """
    with _STARTING:
        program = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            process.start()
        finally:
            sys.modules["__main__"] = program
