"""Export what is shown, unless another part is chosen."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from termexplorer.texts import mark, tr, translated

SHOWN, JUDGED, ALL, OUTCOME = "shown", "judged", "all", "outcome"
_PARTS = {
    SHOWN: mark("Shown, in this order ({n:,})…"),
    JUDGED: mark("Judged by anyone ({n:,})…"),
    ALL: mark("All ({n:,})…"),
    OUTCOME: mark("What was agreed or decided ({n:,})…"),
}
_NARROW = 32


def export_title(count: int) -> str:
    """Return what a button says that exports so many rows."""
    return tr("Export {n:,}…", n=count) if count else tr("Export…")


class ExportButton(QPushButton):
    """A button that exports what is shown and says how many rows that is.

    Signals:
        wanted: the part that is to be exported: `SHOWN`, `JUDGED`, `ALL` or `OUTCOME`.

    Attributes:
        others: the button beside it, with a menu of all parts; hidden where there is but one.
    """

    wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Export…"), parent)
        self.other_formats = QPushButton(parent)
        self.other_formats.setFixedWidth(_NARROW)
        self.other_formats.setAccessibleName(tr("Export another part"))
        self.other_formats.setToolTip(tr("Export another part: shown, judged, or all"))
        self.other_formats.setMenu(QMenu(self.other_formats))
        self.clicked.connect(self._on_clicked)
        self.show_counts({})

    def show_counts(self, counts: Mapping[str, int]) -> None:
        """Show how many rows each part has; none if there is nothing to export."""
        self.setText(export_title(counts.get(SHOWN, 0)))
        self.other_formats.setVisible(len(set(counts.values()) - {0}) > 1)
        menu = self.other_formats.menu()
        menu.clear()
        for part, count in counts.items():
            action = menu.addAction(translated(_PARTS[part], n=count))
            action.setEnabled(count > 0)
            action.triggered.connect(partial(self.wanted.emit, part))

    @Slot()
    def _on_clicked(self) -> None:
        self.wanted.emit(SHOWN)
