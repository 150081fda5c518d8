"""What the window remembers: how it looked, and in each workspace the last place."""

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from platformdirs import user_config_path
from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QHeaderView, QSplitter, QWidget

from termexplorer.views.widgets.theme import Scheme
from termexplorer.views.widgets.window_place import WindowPlace, first_place

_WINDOW = "window/place"
_CHECKS = "check/"  # before the key of a value: that of its checksum


class UiState:
    """Two small ini files: the look, for the user; places and choices, for the workspace.

    A workspace may come from somebody else, so what names files is kept for the user as well. Each
    value has a checksum beside it; one that is not what was written is as if it were not there.

    Args:
        user_file: where the look is kept.
        workspace_folder: the folder that keeps its places in `window.ini`.

    Attributes:
        damaged: the files that were not what was written.
    """

    def __init__(self, user_file: Path, workspace_folder: Path) -> None:
        self._look = QSettings(str(user_file), QSettings.Format.IniFormat)
        folder = str(workspace_folder.absolute()).encode("utf-8", "surrogateescape")
        self._workspace = hashlib.sha256(folder).hexdigest()[:16]
        path = workspace_folder / "window.ini"
        self._settings = QSettings(str(path), QSettings.Format.IniFormat)
        self.damaged = [
            Path(file.fileName()) for file in (self._look, self._settings) if _drop_damaged(file)
        ]

    @classmethod
    def of(cls, workspace_folder: Path, settings: Path | None = None) -> "UiState":
        """The session of a workspace; `settings` is another folder than the user's, for tests."""
        folder = settings or user_config_path("termexplorer")
        return cls(folder / "window.ini", workspace_folder)

    def theme(self) -> tuple[Scheme, float]:
        """The theme and the zoom that were chosen last."""
        known = {scheme.value: scheme for scheme in Scheme}
        try:
            zoom = float(self.look("zoom"))
        except ValueError:
            zoom = 1.0
        return known.get(self.look("theme"), Scheme.SYSTEM), zoom

    def look(self, key: str, default: str = "") -> str:
        """How something looked, as text."""
        return str(self._look.value(key, default))

    def keep_look(self, key: str, value: str) -> None:
        """Keeps how something looks."""
        _set_checked(self._look, key, value)

    def place(self, key: str, default: str = "") -> str:
        """What was chosen in this workspace, as text."""
        return str(self._settings.value(key, default))

    def keep_place(self, key: str, value: str) -> None:
        """Keeps what is chosen in this workspace."""
        _set_checked(self._settings, key, value)

    def numbers(self, key: str) -> list[int]:
        """A list of ids that was kept with `keep_place`."""
        return [int(part) for part in self.place(key).split() if part.isdecimal()]

    def files(self, key: str) -> list[Path]:
        """Files and folders that were kept with `keep_files`, as far as they are still there."""
        return [path for path in map(Path, self.own_place(key).splitlines()) if path.exists()]

    def keep_files(self, key: str, paths: Iterable[Path]) -> None:
        """Keeps files and folders that the user chose in this workspace."""
        self.keep_own_place(key, "\n".join(map(str, paths)))

    def own_place(self, key: str) -> str:
        """Return what the user chose in this workspace, which nobody else can have written."""
        return self.look(f"places/{self._workspace}/{key}")

    def keep_own_place(self, key: str, value: str) -> None:
        """Keep what is chosen in this workspace and names files, beside the look."""
        self.keep_look(f"places/{self._workspace}/{key}", value)

    def place_window(self, window: QWidget, key: str = _WINDOW) -> None:
        """Put a window where it was; the first time it fills a screen that is too small."""
        stored_place = WindowPlace.parse(self.look(key))
        (stored_place or first_place(window.screen())).put(window)

    def keep_window(self, window: QWidget, key: str = _WINDOW) -> None:
        """Keep where a window is."""
        stored_place = WindowPlace.parse(self.look(key))
        self.keep_look(key, str(WindowPlace.read(window, stored_place)))

    def restore_state(self, key: str, widget: QSplitter | QHeaderView) -> bool:
        """Gives a splitter or header the sizes it had; whether they were known."""
        return widget.restoreState(self._bytes(key))

    def keep_state(self, key: str, widget: QSplitter | QHeaderView) -> None:
        """Keeps the sizes of a splitter or header."""
        _set_checked(self._look, key, widget.saveState())

    def widths(self, key: str) -> dict[str, int]:
        """Columns of a table that the user dragged, with their pixels."""
        pairs = (part.rpartition("=") for part in self.look(key).split("; "))
        return {name: int(width) for name, _, width in pairs if width.isdecimal()}

    def keep_widths(self, key: str, widths: Mapping[str, int]) -> None:
        """Keeps widths of columns."""
        self.keep_look(key, "; ".join(f"{name}={width}" for name, width in widths.items()))

    def sync(self) -> None:
        """Writes both files."""
        self._look.sync()
        self._settings.sync()

    def _bytes(self, key: str) -> QByteArray:
        value = self._look.value(key)
        return value if isinstance(value, QByteArray) else QByteArray()


def _set_checked(file: QSettings, key: str, value: str | QByteArray) -> None:
    file.setValue(key, value)
    file.setValue(f"{_CHECKS}{key}", _sum_value(key, value))


def _sum_value(key: str, value: object) -> str:
    data = value.data() if isinstance(value, QByteArray) else str(value).encode("utf-8", "replace")
    return f"{zlib.crc32(key.encode() + bytes([0]) + data):08x}"


def _drop_damaged(file: QSettings) -> bool:
    """Take out what is not what was written; return whether there was anything.

    Values without a checksum are of earlier versions, and are believed.
    """
    keys = [key for key in file.allKeys() if key.startswith(_CHECKS)]
    damaged = [
        key.removeprefix(_CHECKS)
        for key in keys
        if file.value(key) != _sum_value(key.removeprefix(_CHECKS), file.value(key[len(_CHECKS) :]))
    ]
    for key in damaged:
        file.remove(key)
        file.remove(f"{_CHECKS}{key}")
    return bool(damaged) or file.status() != QSettings.Status.NoError
