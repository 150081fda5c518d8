"""The answers of an annotator as the one file that goes back."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.signing.signatures import format_fingerprint
from termexplorer.services.studies.answers import SavedAnswers, write_answers
from termexplorer.services.studies.judging import Judging
from termexplorer.texts import tr
from termexplorer.views.judging.words import told_answers
from termexplorer.views.widgets.file_dialogs import ask_save_path
from termexplorer.views.widgets.notices import Notices
from termexplorer.views.widgets.ui_state import UiState
from termexplorer.workspace import Workspace

_ENDING = ".termanswers"
_PACK_ENDINGS = (".json", ".termstudy")  # as mail programs and people leave them


def name_answers_file(pack: Path) -> Path:
    """Return where answers go unless told: beside the pack, under its name.

    `x.termstudy` becomes `x.termanswers`, and so do `x.json` and `x.termstudy.json`.
    """
    stem = pack.name
    for ending in _PACK_ENDINGS:
        if stem.lower().endswith(ending):
            stem = stem[: -len(ending)]
    return pack.with_name(f"{stem}{_ENDING}")


class AnswersFile(QObject):
    """Asks where, and writes them there.

    Args:
        workspace: where they are kept.
        judging: whose they are.
        session: keeps what was saved, and where.
        beside: a file beside which they go, unless told.
        notices: where it is told.
        screen: over which it is asked.
    """

    def __init__(
        self,
        workspace: Workspace,
        judging: Judging,
        session: UiState,
        beside: Path,
        notices: Notices,
        screen: QWidget,
    ) -> None:
        super().__init__(screen)
        self._workspace, self._judging, self._beside = workspace, judging, beside
        self._session, self._notices, self._screen = session, notices, screen
        self._key = f"judging/saved/{judging.study.head.key}"
        self._saving = LatestQueryWorker(self)
        self._then: Callable[[], None] | None = None
        self._saving.answered.connect(self._on_saved)
        self._saving.failed.connect(self._on_not_saved)

    def close_file(self) -> None:
        """Waits for what is being written, and ends the thread."""
        self._saving.close()

    @property
    def outdated(self) -> Path | None:
        """Return the file that was saved last, if something was said or taken back since."""
        annotator, rows, path = (*self._session.own_place(self._key).split("\t"), "", "")[:3]
        same = annotator == self._judging.annotator and rows.isdecimal()
        return Path(path) if same and int(rows) < self._judging.rows else None

    @Slot()
    def save(self) -> None:
        """Asks where, and writes."""
        usual, kind = str(name_answers_file(self._beside)), tr("Answers (*.termanswers)")
        title = tr("Save my answers as")
        if path := ask_save_path(self._screen, "answers", title, usual, kind):
            self._then = None
            self._write(path)

    def save_again(self, then: Callable[[], None]) -> None:
        """Write the file that was saved last anew; call `then` when it is there."""
        path = self.outdated
        if path is not None:
            self._then = then
            self._write(path)

    def _write(self, path: Path) -> None:
        study, annotator = self._judging.study.id, self._judging.annotator
        self._saving.ask(partial(_save_answers, self._workspace, study, annotator, path))

    @Slot(object)
    def _on_saved(self, saved: tuple[Path, SavedAnswers]) -> None:
        path, written = saved
        record = f"{self._judging.annotator}\t{written.rows}\t{path}"
        self._session.keep_own_place(self._key, record)
        if self._then is not None:
            self._then()
            return
        answers_text = told_answers(self._judging.progress())
        key = format_fingerprint(written.key)
        signed = tr("It is signed with your key {key}.", key=key) if key else tr("It is unsigned.")
        saved_told = tr(
            "Saved as {path}: {told}. Send this file to who asked you.",
            path=path,
            told=answers_text,
        )
        self._notices.tell(f"{saved_told} {signed}")

    @Slot(str)
    def _on_not_saved(self, why: str) -> None:
        self._notices.error(
            tr("Your answers were not saved as a file: {why}; choose another place", why=why)
        )


def _save_answers(
    workspace: Workspace, study_id: int, annotator: str, path: Path
) -> tuple[Path, SavedAnswers]:
    return path, write_answers(workspace, study_id, annotator, path)
