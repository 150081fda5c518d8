"""Ask for files: the type chosen is the type written, and each kind of file keeps its folder."""

import re
from pathlib import Path

from PySide6.QtCore import QMimeDatabase, QObject, Qt
from PySide6.QtWidgets import QWidget

from termexplorer.errors import UserError
from termexplorer.files import check_output_file, check_output_folder
from termexplorer.texts import tr
from termexplorer.views.widgets.notices import Notices
from termexplorer.views.widgets.ui_state import UiState

_ENDING = re.compile(r"\*((?:\.\w+)+)")
_UNNAMEABLE = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')
_LETTER_FIRST = re.compile(r"\.[^\W\d]\w*")


class FileDialogs(QObject):
    """What the file dialogs of a window share.

    Args:
        window: the window, which owns this.
        session: where the last folder of each kind of file is kept.
        notices: where a name that is refused is told.
    """

    def __init__(self, window: QWidget, session: UiState, notices: Notices) -> None:
        super().__init__(window)
        self._session = session
        self.notices = notices

    def start_path(self, kind: str, name: str = "") -> str:
        """Return the path to propose: a name in the folder that was used last."""
        if Path(name).is_absolute():
            return name
        name = _UNNAMEABLE.sub("-", name).strip()
        folder = self._session.look(_folder_key(kind))
        return str(Path(folder) / name) if folder and Path(folder).is_dir() else name

    def keep_folder(self, kind: str, folder: Path) -> None:
        """Remember the folder of a kind of file."""
        self._session.keep_look(_folder_key(kind), str(folder))


def ask_save_path(parent: QWidget, kind: str, title: str, name: str, types: str) -> Path | None:
    """Ask where to save, until the name and the type chosen agree.

    Args:
        parent: the widget over which it is asked.
        kind: what sort of file it is; each has its own last folder.
        title: of the dialog.
        name: what is proposed, with the ending of the first type; an absolute path keeps its place.
        types: Qt's filters, parted by `;;`; empty for a folder that is to be made.

    Returns:
        The path, with the ending of the type chosen; None if nothing is to be written.
    """
    from PySide6.QtWidgets import QFileDialog  # not before a window shows: it takes time

    dialogs = _dialogs_of(parent)
    proposed, chosen = dialogs.start_path(kind, name) if dialogs else name, ""
    for _ in range(2):
        answer, chosen = QFileDialog.getSaveFileName(parent, title, proposed, types, chosen)
        if not answer:
            return None
        try:
            path = named_by_type(Path(answer), chosen, types)
            (check_output_file if types else check_output_folder)(path)
        except UserError as error:
            _refuse_or_raise(dialogs, error)
            return None
        if path == Path(answer) or not path.exists():
            if dialogs:
                dialogs.keep_folder(kind, path.parent)
            return path
        proposed = str(path)  # is there already, which the dialog has not asked about
    _refuse_or_raise(
        dialogs, UserError(tr("{path} is there already; choose another name", path=path))
    )
    return None


def ask_open_path(parent: QWidget, kind: str, title: str, types: str) -> Path | None:
    """Ask for a file to read; return None for none."""
    from PySide6.QtWidgets import QFileDialog

    answer, _ = QFileDialog.getOpenFileName(parent, title, _start_path(parent, kind), types)
    return _keep_folder_of(parent, kind, Path(answer)) if answer else None


def ask_open_paths(parent: QWidget, kind: str, title: str, types: str) -> list[Path]:
    """Ask for files to read; return an empty list for none."""
    from PySide6.QtWidgets import QFileDialog

    answers, _ = QFileDialog.getOpenFileNames(parent, title, _start_path(parent, kind), types)
    return [_keep_folder_of(parent, kind, Path(answer)) for answer in answers]


def ask_folder(parent: QWidget, kind: str, title: str) -> Path | None:
    """Ask for a folder; return None for none."""
    from PySide6.QtWidgets import QFileDialog

    answer = QFileDialog.getExistingDirectory(parent, title, _start_path(parent, kind))
    return _keep_folder_of(parent, kind, Path(answer)) if answer else None


def ask_output_folder(parent: QWidget, kind: str, title: str) -> Path | None:
    """Ask for a folder to write into; return None for none, or where nothing can be written."""
    folder = ask_folder(parent, kind, title)
    try:
        if folder is not None:
            check_output_folder(folder)
    except UserError as error:
        _refuse_or_raise(_dialogs_of(parent), error)
        return None
    return folder


def named_by_type(path: Path, chosen: str, types: str) -> Path:
    """Return a path with the ending of the type that was chosen.

    Args:
        path: what was entered.
        chosen: the filter that was chosen; empty where the dialog does not say, so that the ending
            tells, as it does where the first one stands, which nobody may have looked at.
        types: all filters, parted by `;;`.

    Raises:
        UserError: the name says one type and the choice another, or it says one that is not
            offered.
    """
    offered = [_endings_of_type(file_type) for file_type in types.split(";;")]
    every = [ending for endings in offered for ending in endings]
    if not every:
        return path
    own_ending = max((e for e in every if path.name.lower().endswith(e)), key=len, default="")
    wanted = _endings_of_type(chosen)
    if own_ending and (not wanted or own_ending in wanted or wanted == offered[0]):
        return _without_proposed_ending(path, own_ending, offered[0])
    if own_ending:
        return _with_other_ending(path, own_ending, wanted, offered[0])
    suffix = path.suffix
    if _LETTER_FIRST.fullmatch(suffix) and _is_known(path.name):
        problem = tr(
            "{path}: name the file {endings}", path=path, endings=_join_with_or(wanted or every)
        )
        raise UserError(problem)
    return path.with_name(f"{path.name}{(wanted or every)[0]}")


def _without_proposed_ending(path: Path, own_ending: str, first: list[str]) -> Path:
    """Return a path without what is left of a proposed ending of which a dialog took the last part.

    Some dialogs make `list.sssom.csv` of `list.sssom.tsv` where the type CSV is chosen.
    """
    stem = path.name[: -len(own_ending)]
    for ending in first:
        rest = Path(ending.removeprefix(".")).stem
        if own_ending != ending and f".{rest}" != ending and stem.lower().endswith(f".{rest}"):
            return path.with_name(f"{stem[: -len(rest) - 1]}{own_ending}")
    return path


def _with_other_ending(path: Path, own_ending: str, wanted: list[str], first: list[str]) -> Path:
    """Return a path whose proposed ending gives way to the type chosen; refuse one typed."""
    if own_ending not in first:
        problem = tr(
            "{path}: the type chosen is {wanted}; choose the type {own}, or name the file so",
            path=path, wanted=wanted[0], own=own_ending,
        )  # fmt: skip
        raise UserError(problem)
    return path.with_name(f"{path.name[: -len(own_ending)]}{wanted[0]}")


def _endings_of_type(type_: str) -> list[str]:
    return _ENDING.findall(type_.lower())


def _join_with_or(endings: list[str]) -> str:
    *most, last = dict.fromkeys(endings)
    return tr("{endings} or {last}", endings=", ".join(most), last=last) if most else last


def _is_known(name: str) -> bool:
    mime_type = QMimeDatabase().mimeTypeForFile(name, QMimeDatabase.MatchMode.MatchExtension)
    return not mime_type.isDefault()


def _dialogs_of(widget: QWidget) -> FileDialogs | None:
    only_own = Qt.FindChildOption.FindDirectChildrenOnly
    return widget.window().findChild(FileDialogs, options=only_own)


def _start_path(parent: QWidget, kind: str) -> str:
    dialogs = _dialogs_of(parent)
    return dialogs.start_path(kind) if dialogs else ""


def _keep_folder_of(parent: QWidget, kind: str, path: Path) -> Path:
    if dialogs := _dialogs_of(parent):
        dialogs.keep_folder(kind, path if path.is_dir() else path.parent)
    return path


def _refuse_or_raise(dialogs: FileDialogs | None, error: UserError) -> None:
    if dialogs is None:
        raise error
    dialogs.notices.error(str(error))


def _folder_key(kind: str) -> str:
    return f"folders/{kind}"
