"""Which language and dialect the names of a release are taken from."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from termexplorer.texts import tr
from termexplorer.views.widgets.inputs import ChoiceBox
from termexplorer.views.widgets.plain_label import PlainLabel

if TYPE_CHECKING:
    from termexplorer.services.importing.releases import Dialects


class DialectChoice(QWidget):
    """A choice of a language and of a dialect, those that are usual chosen at first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._dialects: Dialects | None = None
        self.language, self.dialect = ChoiceBox(), ChoiceBox()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for text, box in ((tr("Language"), self.language), (tr("Dialect"), self.dialect)):
            box.setAccessibleName(text)
            label = PlainLabel(text)
            label.setBuddy(box)
            row.addWidget(label)
            row.addWidget(box)
        row.addStretch(1)
        self.language.setToolTip(tr("Names in other languages are left out"))
        self.dialect.setToolTip(
            tr("A language reference set: names that it prefers, has, or leaves out")
        )
        self.language.activated.connect(self._on_language)

    def show_choices(self, dialects: "Dialects") -> None:
        """Offers what a release has."""
        self._dialects = dialects
        self.language.clear()
        self.language.addItems(dialects.languages)
        self.dialect.clear()
        for known_dialect in dialects.dialects:
            self.dialect.addItem(known_dialect.label, str(known_dialect.refset))
        language, dialect = dialects.choose("", "")
        self.language.setCurrentText(language)
        self.dialect.setCurrentIndex(self.dialect.findData(str(dialect.refset)))

    def chosen(self) -> tuple[str, str]:
        """The language's code, and the id of the language reference set."""
        return self.language.currentText(), str(self.dialect.currentData())

    @Slot()
    def _on_language(self) -> None:
        """Chooses the dialect that is usual in the language."""
        if self._dialects:
            _, dialect = self._dialects.choose(self.language.currentText(), "")
            self.dialect.setCurrentIndex(self.dialect.findData(str(dialect.refset)))
