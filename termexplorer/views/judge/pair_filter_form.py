"""What pairs of the sets are left out for, before a study is drawn."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from termexplorer.services.pairs.filter import PairFilter
from termexplorer.texts import tr
from termexplorer.views.widgets.forms import fields, heading, plain_column
from termexplorer.views.widgets.number_box import number_box


class PairFilterForm(QWidget):
    """Asks for kinds of terms.

    Signals:
        changed: something else is left out.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.codes = QCheckBox(tr("Pairs with a code, such as J12.9"))
        self.abbreviations = QCheckBox(tr("Pairs with an abbreviation, such as COPD"))
        tip = tr("Pairs with a term of more characters are left out")
        self.longest = number_box(0, 2_000, 0, tip)
        self.longest.setSpecialValueText(tr("Any"))
        self.longest.setAccessibleName(tr("Longest term in characters"))
        self.text = QLineEdit(placeholderText=tr("Such as: NOS"))
        self.text.setAccessibleName(tr("A text in a term"))
        column = plain_column(self)
        column.addWidget(heading(tr("Left out")))
        for box in (self.codes, self.abbreviations):
            column.addWidget(box)
            box.toggled.connect(self.changed)
        column.addLayout(
            fields((tr("Longest term"), self.longest), (tr("A text in a term"), self.text))
        )
        self.longest.valueChanged.connect(self.changed)
        self.text.textChanged.connect(self.changed)

    @property
    def chosen(self) -> PairFilter:
        """What is left out."""
        return PairFilter(
            self.codes.isChecked(),
            self.abbreviations.isChecked(),
            self.longest.value(),
            text=self.text.text(),
        )
