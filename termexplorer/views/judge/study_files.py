"""What goes to annotators and what comes back."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from termexplorer.plain_text import plain_tip
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.files.annotator_files import name_files
from termexplorer.services.judge_page.page import write_judge_page
from termexplorer.services.studies.packs import write_pack
from termexplorer.services.studies.status import StudyStatus
from termexplorer.services.studies.work import Merged, MergeOutcome, merge_each
from termexplorer.texts import mark, number, tr, translated, trn
from termexplorer.views.widgets.file_dialogs import ask_open_paths, ask_output_folder, ask_save_path
from termexplorer.views.window.page import Shared
from termexplorer.workspace import Workspace

_PACK, _PAGE = ".termstudy", ".html"
_PACKS = mark("Study packs (*.termstudy);;Pages for any browser (*.html)")
_ANSWERS = mark("Answers (*.termanswers *.json);;All files (*)")
_NO_STUDY = mark("Make a study first")


class StudyFiles(QWidget):
    """Four buttons, the first of which begins judging here, without a file.

    Signals:
        merged: what came of each file, a list of `MergeOutcome`.
    """

    merged = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._status: StudyStatus | None = None
        self._annotator: str | None = None
        self.judge = QPushButton(tr("Judge here…"))
        self.pack = QPushButton(tr("Export pack…"))
        self.packs = QPushButton(tr("Export all packs…"))
        self.merge = QPushButton(tr("Merge answers…"))
        self.merge.setToolTip(tr("What annotators sent back; files may be dropped on the page too"))
        self._writing, self._merging = LatestQueryWorker(self), LatestQueryWorker(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for button in (self.judge, self.pack, self.packs, self.merge):
            row.addWidget(button)
        self.judge.clicked.connect(self.judge_here)
        self.pack.clicked.connect(self._on_pack)
        self.packs.clicked.connect(self._on_packs)
        self.merge.clicked.connect(self._on_merge)
        self._writing.answered.connect(shared.notices.tell)
        self._writing.failed.connect(shared.notices.error)
        self._merging.answered.connect(self._on_merged)
        self._merging.failed.connect(shared.notices.error)
        self.show_study(None)

    def close_files(self) -> None:
        """Ends the threads."""
        self._writing.close()
        self._merging.close()

    def show_study(self, status: StudyStatus | None) -> None:
        """Of which study packs are."""
        self._status = status
        self.packs.setEnabled(status is not None)
        tip = tr("A pack, and a page for any browser, for each annotator, into a folder")
        self.packs.setToolTip(plain_tip(tip) if status else translated(_NO_STUDY))
        self.show_annotator(self._annotator)

    def show_annotator(self, annotator: str | None) -> None:
        """Whose pack it is."""
        self._annotator = annotator
        has_annotator = self._status is not None and annotator is not None
        self.judge.setEnabled(has_annotator)
        here = tr("Judge as {annotator}, in a window of its own", annotator=annotator)
        self.judge.setToolTip(plain_tip(here) if has_annotator else translated(_NO_STUDY))
        self.pack.setEnabled(has_annotator)
        tip = tr(
            "The file for {annotator}, without labels and set names; it opens in termexplorer, or "
            "as a page in any browser",
            annotator=annotator,
        )
        self.pack.setToolTip(plain_tip(tip) if has_annotator else translated(_NO_STUDY))

    def merge_files(self, paths: Sequence[Path]) -> None:
        """Merges what annotators sent back."""
        self._merging.ask(partial(merge_each, self._shared.workspace, paths))

    @Slot()
    def judge_here(self) -> None:
        """Have the chosen annotator judge, with the verdicts in this workspace."""
        if self._status is not None and self._annotator is not None:
            self._shared.errands.judge_study.emit(self._status.study.id, self._annotator)

    @Slot()
    def _on_pack(self) -> None:
        if self._status is None or self._annotator is None:
            return
        name = f"{name_files([self._annotator])[self._annotator]}{_PACK}"
        title = tr("Pack for {annotator}", annotator=self._annotator)
        if path := ask_save_path(self, "packs", title, name, translated(_PACKS)):
            self._write({self._annotator: [path]})

    @Slot()
    def _on_packs(self) -> None:
        if self._status is None:
            return
        if folder := ask_output_folder(self, "packs", tr("Folder for the packs")):
            names = name_files([seat.annotator for seat in self._status.seats])
            kinds = (_PACK, _PAGE)
            self._write(
                {
                    annotator: [folder / f"{name}{kind}" for kind in kinds]
                    for annotator, name in names.items()
                }
            )

    def _write(self, paths: dict[str, list[Path]]) -> None:
        if self._status is not None:
            study_id = self._status.study.id
            self._writing.ask(partial(_write_packs, self._shared.workspace, study_id, paths))

    @Slot()
    def _on_merge(self) -> None:
        title, answers = tr("Merge answers"), translated(_ANSWERS)
        if paths := ask_open_paths(self, "answers", title, answers):
            self.merge_files(paths)

    @Slot(object)
    def _on_merged(self, outcomes: Sequence[MergeOutcome]) -> None:
        fitted = [outcome for outcome in outcomes if isinstance(outcome, Merged)]
        new = sum(outcome.new_rows for outcome in fitted)
        self._shared.notices.tell(
            tr(
                "Merged {merged} of {files}: {new}",
                merged=number(len(fitted)),
                files=trn("{n:,} file", "{n:,} files", len(outcomes)),
                new=trn("{n:,} row is new", "{n:,} rows are new", new),
            )
        )
        self._shared.watch.look()
        self.merged.emit(outcomes)


def dropped_files(data: QMimeData) -> list[Path]:
    """The files among what is dropped."""
    paths = (Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile())
    return [path for path in paths if path.is_file()]


def _write_packs(workspace: Workspace, study_id: int, paths: dict[str, list[Path]]) -> str:
    asked = {}
    for name, files in paths.items():
        for path in files:
            write = write_judge_page if path.suffix == _PAGE else write_pack
            asked[name] = write(workspace, study_id, name, path)
    counts_text = ", ".join(
        trn(
            "{n:,} question for {annotator}",
            "{n:,} questions for {annotator}",
            count,
            annotator=name,
        )
        for name, count in asked.items()
    )
    written = [path for files in paths.values() for path in files]
    if len(written) == 1:
        return tr("Wrote {file}: {told}", file=written[0], told=counts_text)
    return tr(
        "Wrote {packs} packs and as many pages to {folder}: {told}",
        packs=len(paths),
        folder=written[0].parent,
        told=counts_text,
    )
