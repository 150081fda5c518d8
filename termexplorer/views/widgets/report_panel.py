"""A report to read, to copy and to save."""

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QWidget

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.texts import tr
from termexplorer.views.widgets.file_dialogs import ask_save_path
from termexplorer.views.widgets.notices import Notices
from termexplorer.views.widgets.panel import Panel
from termexplorer.views.widgets.plain_label import PlainLabel


class ReportPanel(Panel):
    """Shows text under a title and a sentence on what it is for."""

    def __init__(
        self, title: str, what_for: str, text: str, notices: Notices, parent: QWidget | None = None
    ) -> None:
        super().__init__(title, parent)
        self._notices = notices
        hint = PlainLabel(what_for)
        hint.setWordWrap(True)
        hint.setProperty("quiet", True)
        self.text = QPlainTextEdit(text)
        self.text.setReadOnly(True)
        self.text.setAccessibleName(title)
        self.copy, self.save = QPushButton(tr("Copy")), QPushButton(tr("Save…"))
        self.copy.setProperty("primary", True)
        self.copy.clicked.connect(self._on_copy)
        self.save.clicked.connect(self._on_save)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.copy)
        row.addWidget(self.save)
        row.addStretch(1)
        self.content.addWidget(hint)
        self.content.addWidget(self.text, 1)
        self.content.addLayout(row)
        self.setFocusProxy(self.copy)

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self._notices.tell(tr("The report is on the clipboard"))

    @Slot()
    def _on_save(self) -> None:
        title, types = tr("Save report"), tr("Text (*.txt)")
        path = ask_save_path(self, "reports", title, "report.txt", types)
        if path is None:
            return
        try:
            with atomic_write(path) as fresh:
                fresh.write_text(self.text.toPlainText() + "\n", "utf-8")
        except UserError as error:
            self._notices.error(str(error))
        else:
            self._notices.tell(tr("Saved the report to {path}", path=path))
