"""What panes of rankings have in common: a question in a thread, a note, a button that exports."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QPushButton, QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.files.exports import Cell
from termexplorer.texts import tr
from termexplorer.views.explore.encoder_choice import EncoderChoice
from termexplorer.views.explore.ranking_export import ask_and_write
from termexplorer.views.explore.ranking_scope import AmongRow
from termexplorer.views.widgets.export_button import export_title
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared


class AnswerPane(QWidget):
    """Asks with the chosen encoders and filters; what is shown can be exported.

    Attributes:
        note: what is to be said about the answer.
        export: writes the answer into a file.
    """

    def __init__(self, shared: Shared, encoders: EncoderChoice, among: AmongRow) -> None:
        super().__init__()
        self._shared = shared
        self._encoders = encoders
        self._among = among
        self.note = PlainLabel(wordWrap=True)
        self.note.setProperty("quiet", True)
        self.export = QPushButton(tr("Export…"))
        self.export.clicked.connect(self._on_export)
        self._questions = LatestQueryWorker(self)

    def close_pane(self) -> None:
        """Ends the thread that asks."""
        self._questions.close()

    def answer_table(self) -> tuple[str, list[str], list[list[Cell]]]:
        """Name, header and rows of the file that takes the answer."""
        raise NotImplementedError

    def _allow_export(self, rows: int) -> None:
        self.export.setText(export_title(rows))
        self.export.setEnabled(rows > 0)
        self.export.setToolTip("" if rows else tr("There is nothing to export yet"))

    @Slot()
    def _on_export(self) -> None:
        ask_and_write(self, self._shared.notices, *self.answer_table())
