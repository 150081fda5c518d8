"""A row of figures: each a value over what it is."""

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget


class FigureRow(QWidget):
    """Shows (title, value, meaning) side by side."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(18)
        self._row.addStretch(1)
        self._values: dict[str, QLabel] = {}

    def show_figures(self, figures: Sequence[tuple[str, str, str]]) -> None:
        """Shows figures; titles that were there keep their place."""
        for title, value, meaning in figures:
            if title not in self._values:
                self._add(title)
            label = self._values[title]
            label.setText(value)
            label.setAccessibleName(f"{title}: {value}")
            label.setToolTip(meaning)

    def value(self, title: str) -> str:
        """What is shown under a title."""
        return self._values[title].text() if title in self._values else ""

    def _add(self, title: str) -> None:
        value, caption = QLabel(), QLabel(title)
        font = value.font()
        font.setWeight(font.Weight.DemiBold)
        value.setFont(font)
        caption.setProperty("quiet", True)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(value)
        column.addWidget(caption)
        self._row.insertLayout(self._row.count() - 1, column)
        self._values[title] = value
