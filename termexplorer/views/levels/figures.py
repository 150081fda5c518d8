"""A row of figures: each a value over what it is."""

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from termexplorer.views.widgets.plain_label import PlainLabel


class LevelFigures(QWidget):
    """Shows (title, value, meaning) side by side."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)
        self._row.addStretch(1)
        self._labels: list[tuple[QLabel, QLabel]] = []  # title and value

    def show_figures(self, figures: Sequence[tuple[str, str, str]]) -> None:
        """Shows figures, always as many, in their order."""
        while len(self._labels) < len(figures):
            self._add()
        for (caption, label), (title, value, meaning) in zip(self._labels, figures, strict=True):
            caption.setText(title)
            label.setText(value)
            label.setAccessibleName(f"{title}: {value}")
            label.setToolTip(meaning)

    def value(self, title: str) -> str:
        """What is shown under a title."""
        return next((own.text() for each, own in self._labels if each.text() == title), "")

    def _add(self) -> None:
        caption, value = PlainLabel(), PlainLabel()
        font = value.font()
        font.setWeight(font.Weight.DemiBold)
        value.setFont(font)
        caption.setProperty("quiet", True)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(value)
        column.addWidget(caption)
        self._row.insertLayout(self._row.count() - 1, column)
        self._labels.append((caption, value))
