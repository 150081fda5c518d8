"""The row over a map: a search, what is written and dragged, and what is done with the map."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLineEdit, QPushButton, QWidget

from termexplorer.texts import mark, tr, translated
from termexplorer.views.map.outline import Tool
from termexplorer.views.widgets.elided_label import ElidedLabel
from termexplorer.views.widgets.forms import choice, offer
from termexplorer.views.widgets.ui_state import UiState

_TOOL = mark(
    "What dragging does; Shift and drag always draws a lasso, Ctrl and drag a "
    "rectangle, R one by keys"
)
_LABELS = mark("Words typical of the names in each cluster of the map, where there is room")
_LEAST_FILTER = 104  # pixels, where there is little room
_LABELS_KEY = "map/labels"


class MapHead(QWidget):
    """Holds the widgets; the map's area connects them."""

    def __init__(self, session: UiState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.filter = QLineEdit(placeholderText=tr("Highlight…"), clearButtonEnabled=True)
        self.count = ElidedLabel()
        self.labels = QCheckBox(tr("Labels"))
        self.tool = choice(tr("Dragging"), 0)
        self.show_concept = QPushButton(tr("Show in Explore"))
        self.export = QPushButton(tr("Export…"))
        self.filter.setMinimumWidth(_LEAST_FILTER)
        self.tool.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.filter.setAccessibleName(tr("Highlight names"))
        self.filter.setToolTip(tr("Highlight the names that have this text"))
        self.count.setProperty("quiet", True)
        offer(self.tool, [(translated(tool.value), tool) for tool in Tool], Tool.MOVE)
        self.tool.setToolTip(translated(_TOOL))
        self.labels.setToolTip(translated(_LABELS))
        self.labels.setChecked(session.place(_LABELS_KEY, "1") == "1")
        self.labels.toggled.connect(self._on_labels)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.filter, 2)
        row.addWidget(self.count, 1)
        self.count.hide()  # where nothing is highlighted, it needs no room
        for widget in (self.labels, self.tool, self.show_concept, self.export):
            row.addWidget(widget)

    def show_count(self, text: str) -> None:
        """Show how many names are highlighted; nothing where none are looked for."""
        self.count.setText(text)
        self.count.setVisible(bool(text))

    @Slot()
    def _on_labels(self) -> None:
        self._session.keep_place(_LABELS_KEY, str(int(self.labels.isChecked())))
