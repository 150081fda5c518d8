"""The workspace of a command that may not need one."""

from contextlib import ExitStack
from pathlib import Path
from typing import Self

from termexplorer.cli.opening import opened
from termexplorer.workspace import Workspace


class LazyWorkspace:
    """The workspace, opened where it is asked for, and closed at the end."""

    def __init__(self, option: Path | None) -> None:
        self._option = option
        self._stack = ExitStack()
        self._workspace: Workspace | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def open(self) -> Workspace:
        """Return the workspace."""
        if self._workspace is None:
            self._workspace = self._stack.enter_context(opened(self._option))
        return self._workspace
