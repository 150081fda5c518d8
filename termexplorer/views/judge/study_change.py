"""What can be changed in a study: its title, who judges, and whether it is there."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QPushButton, QWidget

from termexplorer.plain_text import plain_tip
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.studies.changes import (
    StudyRemoval,
    add_annotator,
    inspect_study_removal,
    remove_study,
    rename_study,
)
from termexplorer.services.studies.status import StudyStatus
from termexplorer.texts import tr, trn
from termexplorer.views.widgets.forms import form_column, heading, quiet, scrolled
from termexplorer.views.widgets.keys import add_key
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared
from termexplorer.workspace import Workspace

_WIDEST = 800


class StudyChangeForm(QWidget):
    """Renames a study, has somebody else judge in it, or removes it.

    Signals:
        left: the user goes back.

    Attributes:
        name: the title of the study.
        annotator: who is to judge too.
        told: what goes and what stays when the study is removed.
    """

    left = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._status: StudyStatus | None = None
        self._why_not = ""  # why nobody can be added
        self.title = heading("")
        self.name, self.annotator = QLineEdit(), QLineEdit()
        self.all_pairs = QCheckBox(tr("All pairs, whatever the others judge"))
        self.rename, self.add = QPushButton(tr("Rename study")), QPushButton(tr("Add annotator"))
        self.remove = QPushButton(tr("Remove study…"))
        self.confirm, self.keep = QPushButton(tr("Remove all this")), QPushButton(tr("Keep it"))
        self.message, self.back = PlainLabel(wordWrap=True), QPushButton(tr("Back"))
        self._working, self._counting = LatestQueryWorker(self), LatestQueryWorker(self)
        self._lay_out()
        self._connect()

    def close_form(self) -> None:
        """Ends the threads."""
        self._working.close()
        self._counting.close()

    def entrance(self) -> QWidget:
        """The title."""
        return self.name

    def show_study(self, status: StudyStatus) -> None:
        """Of which study."""
        self._status = status
        head = status.study.head
        self.title.setText(tr("Study {number}, {title}", number=status.study.id, title=head.title))
        self.name.setText(head.title)
        self.annotator.clear()
        drawn = "each" in head.plan
        for widget in (self.annotator, self.all_pairs):
            widget.setEnabled(drawn)
        self._why_not = (
            ""
            if drawn
            else tr("It was made in another workspace; annotators can be added only there")
        )
        self._show_removal(asked=False)
        self._allow()

    def _lay_out(self) -> None:
        self.name.setAccessibleName(tr("Title"))
        self.annotator.setAccessibleName(tr("Annotator"))
        self.annotator.setPlaceholderText(tr("Name of the new annotator"))
        self.back.setToolTip(tr("Back to studies (Esc)"))
        self.all_pairs.setToolTip(
            tr("Else those that all others judge, or as many as each of them has")
        )
        inside = QWidget()
        inside.setMaximumWidth(_WIDEST)
        column = form_column(inside)
        column.addWidget(self.title)
        column.addSpacing(8)
        column.addWidget(heading(tr("Title")))
        column.addLayout(_make_row(self.name, self.rename))
        column.addWidget(quiet(tr("Packs keep the title that they were made with.")))
        column.addSpacing(8)
        column.addWidget(heading(tr("Another annotator")))
        column.addLayout(_make_row(self.annotator, self.add))
        column.addWidget(self.all_pairs)
        column.addWidget(quiet(tr("The packs of the others stay as they are.")))
        column.addSpacing(8)
        column.addWidget(heading(tr("Removal")))
        column.addWidget(self.message)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.remove, self.confirm, self.keep):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column.addLayout(buttons)
        column.addStretch(1)
        whole = form_column(self)
        whole.setContentsMargins(0, 0, 0, 12)
        whole.addWidget(scrolled(inside), 1)
        last = QHBoxLayout()
        last.setContentsMargins(16, 0, 16, 0)
        last.addWidget(self.back)
        last.addStretch(1)
        whole.addLayout(last)

    def _connect(self) -> None:
        self.back.clicked.connect(self.left)
        self.name.textChanged.connect(self._allow)
        self.annotator.textChanged.connect(self._allow)
        self.name.returnPressed.connect(self.rename.click)
        self.annotator.returnPressed.connect(self.add.click)
        self.rename.clicked.connect(self._on_rename)
        self.add.clicked.connect(self._on_add)
        self.remove.clicked.connect(self._on_remove)
        self.confirm.clicked.connect(self._on_confirmed)
        self.keep.clicked.connect(self._on_keep)
        self._working.answered.connect(self._on_done)
        self._working.failed.connect(self._shared.notices.error)
        self._counting.answered.connect(self._on_counted)
        self._counting.failed.connect(self.message.setText)
        add_key("Esc", self, self.left.emit)

    @Slot()
    def _allow(self) -> None:
        status = self._status
        title, name = self.name.text().strip(), self.annotator.text().strip()
        same = status is not None and title == status.study.head.title
        self.rename.setEnabled(bool(title) and not same)
        self.rename.setToolTip(tr("It has this title already") if same else "")
        self.add.setEnabled(bool(name) and not self._why_not)
        self.add.setToolTip(plain_tip(self._why_not) or ("" if name else tr("Name the annotator")))
        self.annotator.setToolTip(plain_tip(self._why_not))

    def _show_removal(self, *, asked: bool) -> None:
        self.remove.setVisible(not asked)
        for button in (self.confirm, self.keep):
            button.setVisible(asked)
        self.message.setText(
            tr("Counting dependent data…")
            if asked
            else tr("Verdicts stay in the log, which is never truncated.")
        )

    def _do(self, work: Callable[[Workspace, int], str]) -> None:
        if self._status is not None:
            self._working.ask(partial(work, self._shared.workspace, self._status.study.id))

    @Slot()
    def _on_rename(self) -> None:
        self._do(partial(_rename_and_tell, title=self.name.text()))

    @Slot()
    def _on_add(self) -> None:
        name, all_pairs = self.annotator.text(), self.all_pairs.isChecked()
        self._do(partial(_add_and_tell, annotator=name, all_pairs=all_pairs))

    @Slot()
    def _on_remove(self) -> None:
        if self._status is not None:
            self._show_removal(asked=True)
            self.keep.setFocus()
            study_id = self._status.study.id
            self._counting.ask(partial(inspect_study_removal, self._shared.workspace, study_id))

    @Slot(object)
    def _on_counted(self, removal: StudyRemoval) -> None:
        goes = "\n".join(f"– {line}" for line in removal.goes)
        self.message.setText(f"{tr('This goes:')}\n{goes}\n\n{removal.stays}")

    @Slot()
    def _on_keep(self) -> None:
        self._show_removal(asked=False)
        self.remove.setFocus()

    @Slot()
    def _on_confirmed(self) -> None:
        self._do(_remove_and_tell)

    @Slot(object)
    def _on_done(self, message: str) -> None:
        self._shared.notices.tell(message)
        self._shared.watch.look()
        self.left.emit()


def _make_row(field: QWidget, button: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addWidget(field, 1)
    row.addWidget(button)
    return row


def _rename_and_tell(workspace: Workspace, study_id: int, *, title: str) -> str:
    stored_title = rename_study(workspace, study_id, title)
    return tr("Study {number} is called {title}", number=study_id, title=stored_title)


def _add_and_tell(workspace: Workspace, study_id: int, *, annotator: str, all_pairs: bool) -> str:
    asked = add_annotator(workspace, study_id, annotator, all_pairs=all_pairs)
    return trn(
        "{n:,} question for {annotator}",
        "{n:,} questions for {annotator}",
        asked,
        annotator=annotator,
    )


def _remove_and_tell(workspace: Workspace, study_id: int) -> str:
    without_backup = remove_study(workspace, study_id)
    message = tr("Study {number} is removed; its verdicts stay in the log", number=study_id)
    return f"{message}; {without_backup}" if without_backup else message
