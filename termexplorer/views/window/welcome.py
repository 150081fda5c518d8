"""What an empty workspace says: what to do first."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout, QWidget

from termexplorer.texts import tr
from termexplorer.views.widgets.forms import scrolled
from termexplorer.views.widgets.plain_label import PlainLabel

_NARROWEST, _WIDEST = 320, 480


class Welcome(QWidget):
    """Three large buttons.

    Signals:
        embedded_wanted: import the ICD-10-CM that is there already.
        file_wanted: choose a file.
        pack_wanted: open a study pack and judge.
        tour_wanted: show what is where.
    """

    embedded_wanted = Signal()
    file_wanted = Signal()
    pack_wanted = Signal()
    tour_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = PlainLabel(tr("Start with a terminology"))
        title.setProperty("title", True)
        title.setWordWrap(True)
        text = PlainLabel(
            tr(
                "Import one to look through its hierarchy, search its names, and train encoders "
                "on it. F1 tells more."
            )
        )
        text.setProperty("quiet", True)
        text.setWordWrap(True)
        self.embedded = QPushButton(tr("Import ICD-10-CM"))
        self.embedded.setProperty("primary", True)
        self.file = QPushButton(tr("Open a file…"))
        self.pack = QPushButton(tr("Judge a study pack…"))
        self.tour = QPushButton(tr("Take the tour, five steps"))
        hints = (
            (
                self.embedded,
                tr("It comes with this program: 98,000 concepts in about ten seconds."),
            ),
            (self.file, tr("Your own terminology: choose it, or drop it onto this window.")),
            (
                self.pack,
                tr("The file that you were sent: pairs of terms, to be answered by a key each."),
            ),
        )
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addWidget(title)
        column.addWidget(text)
        for button, hint in hints:
            button.setProperty("large", True)
            column.addSpacing(16)
            column.addWidget(button)
            label = PlainLabel(hint)
            label.setProperty("quiet", True)
            label.setWordWrap(True)
            column.addWidget(label)
        column.addSpacing(16)
        column.addWidget(self.tour, 0, Qt.AlignmentFlag.AlignLeft)
        self.tour.clicked.connect(self.tour_wanted)
        self.embedded.clicked.connect(self.embedded_wanted)
        self.file.clicked.connect(self.file_wanted)
        self.pack.clicked.connect(self.pack_wanted)
        middle = QWidget()
        middle.setLayout(column)
        middle.setMaximumWidth(_WIDEST)
        middle.setMinimumWidth(_NARROWEST)
        inside = QWidget()
        around = QGridLayout(inside)  # as high as the texts need, and in the middle of the page
        around.addWidget(middle, 1, 1)
        for side in (0, 2):
            around.setRowStretch(side, 1)
            around.setColumnStretch(side, 1)
        around.setColumnStretch(1, _WIDEST)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scrolled(inside))
