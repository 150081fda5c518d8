"""A row of figures: each a value over what it is."""

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from termexplorer.views.widgets.forms import TwoHalves
from termexplorer.views.widgets.plain_label import PlainLabel


class LevelFigures(TwoHalves):
    """Shows (title, value, meaning) side by side."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.second.addStretch(1)
        self._labels: list[tuple[QLabel, QLabel]] = []  # title and value

    def show_figures(self, figures: Sequence[tuple[str, str, str]]) -> None:
        """Shows figures, always as many, in their order."""
        while len(self._labels) < len(figures):
            self._add(self.second if 2 * len(self._labels) >= len(figures) else self.first)
        for (caption, label), (title, value, meaning) in zip(self._labels, figures, strict=True):
            caption.setText(title)
            label.setText(value)
            label.setAccessibleName(f"{title}: {value}")
            label.setToolTip(meaning)

    def value(self, title: str) -> str:
        """What is shown under a title."""
        return next(
            (
                value_label.text()
                for title_label, value_label in self._labels
                if title_label.text() == title
            ),
            "",
        )

    def _add(self, half: QHBoxLayout) -> None:
        caption, value = PlainLabel(), PlainLabel()
        font = value.font()
        font.setWeight(font.Weight.DemiBold)
        value.setFont(font)
        caption.setProperty("quiet", True)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(value)
        column.addWidget(caption)
        half.insertLayout(half.count() - (half is self.second), column)
        self._labels.append((caption, value))
