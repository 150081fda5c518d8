"""Lists of suggestions from files, into files with the verdicts on them, and removed."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from termexplorer.plain_text import plain_tip
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.curate.answers.suggestion_packs import Packed, pack_suggestions
from termexplorer.services.curate.mapping_formats import list_formats_for
from termexplorer.services.curate.review_files import WrittenReview, write_review
from termexplorer.services.curate.sssom_import import ImportedMappings, import_sssom_apart
from termexplorer.services.curate.suggestion_lists import (
    KeptList,
    RemovedList,
    remove_list,
    restore_list,
)
from termexplorer.services.curate.suggestion_words import name_list
from termexplorer.services.judge.drawn_work import FromSuggestions
from termexplorer.services.pairs.filter import told_counts
from termexplorer.services.verdicts.people import Judge
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.judge.pairs_to_judge import PairsToJudge
from termexplorer.views.widgets.export_button import OUTCOME, ExportButton
from termexplorer.views.widgets.file_dialogs import ask_open_path, ask_save_path
from termexplorer.views.window.page import Shared
from termexplorer.workspace import Workspace

_READ = mark("Mappings (*.sssom.tsv *.tsv *.json *.csv *.xlsx *.parquet *.jsonl);;All files (*)")
_TABLES = mark(
    "CSV (*.csv);;Excel (*.xlsx);;JSON lines (*.jsonl);;Tab-separated (*.tsv);;Parquet (*.parquet)"
)
_CHANGES = mark("Changes for ROBOT (*.robot.tsv);;Changes in KGCL (*.kgcl)")
_EXPORTED = mark(
    "What is shown, in this order, with all verdicts on it: SSSOM, CSV, XLSX, JSONL, or changes "
    "for ROBOT"
)
_PACKS = mark("Study packs (*.termstudy)")
_PACKED = mark("A study pack for {judge} with the suggestions not judged yet")
_NOBODY = mark("First enter the annotator at the top right, for whom the pack is")
_NO_LIST = mark("Find suggestions first")
_NO_JUDGE = Judge("")
_JUDGED = mark(
    "A new study of these suggestions as pairs of terms, so that people judge them blind: each "
    "name with the nearest name of what is suggested for it"
)
_REMOVED = mark("Removes this list; the verdicts on it stay in the log")


class SuggestionFiles(QWidget):
    """Buttons in a row.

    Signals:
        imported: the id of the list that came from a file.
        exported: a file was written, or could not be.
        restored: the id of the list that was removed and is there again.
    """

    imported = Signal(object)
    exported = Signal()
    restored = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._list: KeptList | None = None
        self._judge: Judge | None = None
        self.leaves = False  # that list, until another one is on show
        self._parts: Mapping[str, Sequence[int]] = {}
        self._hides_others = False
        self.read, self.write = QPushButton(tr("Import…")), ExportButton()
        self.pack, self.remove = QPushButton(tr("Pack…")), QPushButton(tr("Remove"))
        self.read.setToolTip(
            tr("Mappings of a file (SSSOM, FHIR, OMOP, Usagi, CSV, XLSX…) and the verdicts on them")
        )
        self._reading, self._writing = LatestQueryWorker(self), LatestQueryWorker(self)
        self._packing, self._removing, self._restoring = (LatestQueryWorker(self) for _ in range(3))
        self._questions = (
            self._reading, self._writing, self._packing, self._removing, self._restoring,
        )  # fmt: skip
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.judge = PairsToJudge(shared, translated(_JUDGED))
        for button in (
            self.read,
            self.write,
            self.write.other_formats,
            self.pack,
            self.remove,
            self.judge,
        ):
            row.addWidget(button)
        self.read.clicked.connect(self._on_read)
        self.write.wanted.connect(self._on_write)
        self.pack.clicked.connect(self._on_pack)
        self._packing.answered.connect(self._on_packed)
        self._reading.answered.connect(self._on_imported)
        self._writing.answered.connect(self._on_written)
        self._writing.failed.connect(self.exported)
        self.remove.clicked.connect(self._on_remove)
        self._removing.answered.connect(self._on_removed)
        self._removing.failed.connect(self._on_not_removed)
        self._restoring.answered.connect(self.restored)
        for questions in self._questions:
            questions.failed.connect(shared.notices.error)
        self.show_list(None)

    def close_files(self) -> None:
        """Ends the threads."""
        for questions in self._questions:
            questions.close()

    def show_list(self, suggestion_list: KeptList | None) -> None:
        """What is exported or removed."""
        self._list, self.leaves = suggestion_list, False
        for button, tip in ((self.write, _EXPORTED), (self.remove, _REMOVED)):
            button.setEnabled(suggestion_list is not None)
            button.setToolTip(translated(tip if suggestion_list else _NO_LIST))
        source = FromSuggestions(suggestion_list.id) if suggestion_list else None
        self.judge.offer(
            source, name_list(suggestion_list.head) if suggestion_list else "", translated(_NO_LIST)
        )
        self.show_judge(self._judge)

    @Slot(object, bool)
    def show_parts(self, parts: Mapping[str, Sequence[int]], hides_others: bool) -> None:
        """Take what can be exported.

        Args:
            parts: the numbers of the suggestions that are shown, judged, and there.
            hides_others: whether the verdicts of nobody but the judge are exported.
        """
        self._parts, self._hides_others = parts, hides_others
        self.write.show_counts({part: len(rows) for part, rows in parts.items()})

    def show_judge(self, judge: Judge | None) -> None:
        """Whose pack it would be."""
        self._judge = judge
        self.pack.setEnabled(self._list is not None and judge is not None)
        tip = translated(_NOBODY if self._list else _NO_LIST)
        if judge and self._list:
            tip = translated(_PACKED, judge=judge.name)
        self.pack.setToolTip(plain_tip(tip))

    @Slot()
    def _on_read(self) -> None:
        title = tr("Import mappings")
        if path := ask_open_path(self, "suggestions", title, translated(_READ)):
            self._reading.ask(partial(import_sssom_apart, self._shared.workspace, path))

    @Slot(object)
    def _on_imported(self, imported: ImportedMappings) -> None:
        self._shared.notices.tell("; ".join(_describe_import(imported)))
        self.imported.emit(imported.list_id)

    @Slot(str)
    def _on_write(self, part: str) -> None:
        if self._list is None:
            return
        name, types = (
            f"{name_list(self._list.head)}.sssom.tsv",
            _list_types(self._shared.workspace, self._list),
        )
        if path := ask_save_path(self, "suggestions", tr("Export"), name, types):
            list_id, rows = self._list.id, self._parts[part]
            work = partial(_write_file, self._shared.workspace, path, list_id, rows)
            judge = (self._judge or _NO_JUDGE) if self._hides_others else None
            self._writing.ask(partial(work, outcomes=part == OUTCOME, judge=judge))

    @Slot(object)
    def _on_written(self, answer: tuple[Path, WrittenReview]) -> None:
        path, written = answer
        message = trn(
            "Exported {n:,} row to {path}", "Exported {n:,} rows to {path}", written.rows, path=path
        )
        if written.reason:
            message = tr("{told}: {reason}", told=message, reason=written.reason)
        if written.loss and written.rows:
            message = tr("{told}. {loss}", told=message, loss=written.loss)
        if written.left_out:
            message = trn(
                "{told}; {n:,} mapping is left out, which this format has no place for",
                "{told}; {n:,} mappings are left out, which this format has no place for",
                written.left_out,
                told=message,
            )
        if written.conflicts:
            message = trn(
                "{told}; {n:,} is left out, on which judges disagree",
                "{told}; {n:,} are left out, on which judges disagree",
                written.conflicts,
                told=message,
            )
        self._shared.notices.tell(message)
        self.exported.emit()

    @Slot()
    def _on_pack(self) -> None:
        suggestion_list, judge = self._list, self._judge
        if suggestion_list is None or judge is None:
            return
        name = tr("{list} for {judge}", list=name_list(suggestion_list.head), judge=judge.name)
        if path := ask_save_path(
            self, "packs", tr("Pack"), f"{name}.termstudy", translated(_PACKS)
        ):
            self._packing.ask(
                partial(_pack_file, self._shared.workspace, suggestion_list.id, judge, path)
            )

    @Slot(object)
    def _on_packed(self, answer: tuple[Path, Packed]) -> None:
        path, packed = answer
        message = trn(
            "{path} asks {annotator} about {n:,} suggestion; what comes back is merged on the "
            "page Judge, Studies",
            "{path} asks {annotator} about {n:,} suggestions; what comes back is merged on the "
            "page Judge, Studies",
            packed.questions,
            path=path,
            annotator=packed.annotator,
        )
        self._shared.notices.tell(". ".join(filter(None, (message, told_counts(packed.left_out)))))
        self._shared.watch.look()

    @Slot()
    def _on_remove(self) -> None:
        if self._list is not None and not self.leaves:
            self.leaves = True
            self._removing.ask(partial(remove_list, self._shared.workspace, self._list.id))

    @Slot()
    def _on_not_removed(self) -> None:
        self.leaves = False

    @Slot(object)
    def _on_removed(self, removed: RemovedList) -> None:
        back = partial(self._restore, removed)
        self._shared.notices.tell(removed.told, tr("Undo"), back)
        self._shared.watch.look()

    def _restore(self, removed: RemovedList) -> None:
        self._restoring.ask(partial(restore_list, self._shared.workspace, removed))


def _list_types(workspace: Workspace, kept_list: KeptList) -> str:
    """Return Qt's filters of what a list may be written as, SSSOM first."""
    forms = list_formats_for(workspace, kept_list)
    first, *further = (f"{form.title} (*{form.suffix})" for form in forms)
    return ";;".join([first, translated(_TABLES), *further, translated(_CHANGES)])


def _write_file(
    workspace: Workspace,
    path: Path,
    list_id: int,
    rows: Sequence[int],
    *,
    outcomes: bool,
    judge: Judge | None,
) -> tuple[Path, WrittenReview]:
    return path, write_review(workspace, path, list_id, rows, outcomes=outcomes, judge=judge)


def _pack_file(workspace: Workspace, list_id: int, judge: Judge, path: Path) -> tuple[Path, Packed]:
    return path, pack_suggestions(workspace, list_id, judge, path)


def _describe_import(imported: ImportedMappings) -> Iterator[str]:
    """What came of a file of mappings, in parts of a sentence."""
    text = mark("Imported {mappings}, with {verdicts}, {new:,} of them new")
    if imported.was_there:
        text = mark("Is there already: {mappings}, with {verdicts}, {new:,} of them new")
    yield translated(
        text,
        mappings=trn("{n:,} mapping", "{n:,} mappings", imported.suggestions),
        verdicts=trn("{n:,} verdict", "{n:,} verdicts", imported.verdicts),
        new=imported.new_verdicts,
    )
    if imported.part_of is not None:
        yield trn(
            "{n:,} mapping is not in list {number}, which has the others",
            "{n:,} mappings are not in list {number}, which has the others",
            imported.new_suggestions,
            number=imported.part_of,
        )
    if imported.older_verdicts:
        yield trn(
            "left out: {n:,} verdict, whose judge said something later here",
            "left out: {n:,} verdicts, whose judges said something later here",
            imported.older_verdicts,
        )
    if imported.doubled:
        yield trn(
            "{n:,} row is the same as one before, and merged with it",
            "{n:,} rows are the same as one before, and merged with it",
            imported.doubled,
        )
    if imported.unknown_ids:
        yield trn(
            "{n:,} id is in no ontology here: {first}; its mappings are kept",
            "{n:,} ids are in no ontology here, such as {first}; their mappings are kept",
            imported.unknown_ids,
            first=", ".join(imported.first_unknown_ids),
        )
