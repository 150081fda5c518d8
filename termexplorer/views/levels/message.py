"""What the Levels page says when there is no level to show."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from termexplorer.texts import tr
from termexplorer.views.widgets.plain_label import PlainLabel


class LevelMessage(QWidget):
    """A title, what it means, and what can be done instead."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = PlainLabel(wordWrap=True)
        self.title.setProperty("title", True)
        self.text = PlainLabel(wordWrap=True)
        self.text.setProperty("quiet", True)
        self.explore = QPushButton(tr("Go to Explore"))
        self.reset = QPushButton()
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.explore)
        buttons.addWidget(self.reset)
        buttons.addStretch(1)
        column = QVBoxLayout()
        column.setSpacing(12)
        column.addWidget(self.title)
        column.addWidget(self.text)
        column.addLayout(buttons)
        middle = QWidget()
        middle.setLayout(column)
        middle.setFixedWidth(520)
        whole = QVBoxLayout(self)
        whole.addWidget(middle, 0, Qt.AlignmentFlag.AlignCenter)

    def show_empty(self) -> None:
        """There is no ontology."""
        text = tr("Import one on the page Explore to look at its levels.")
        self._show(tr("No ontology yet"), text)
        self.explore.show()

    def show_no_hierarchy(self, label: str) -> None:
        """The ontology has no links."""
        text = tr(
            "Its concepts have no is-a links, so there are no classes to train on. Search, "
            "neighbours and lists of terms work on the page Explore all the same; encoders that "
            "were trained on another ontology rank its names too. To train on it, import it with "
            "a column of parent ids."
        )
        self._show(tr("{ontology} has no levels", ontology=label), text)
        self.explore.show()

    def show_reading(self, label: str) -> None:
        """The lens is being opened."""
        self._show(tr("Reading the hierarchy…"), label)

    def show_failure(self, why: str, way_out: str) -> None:
        """The rules leave nothing; `way_out` is what can be done, on a button."""
        self._show(tr("No level to show"), f"{why}.")
        self.reset.setText(way_out)
        self.reset.show()

    def _show(self, title: str, text: str) -> None:
        self.title.setText(title)
        self.text.setText(text)
        self.explore.hide()
        self.reset.hide()
