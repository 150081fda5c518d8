"""What a study asks of each pair, and where annotators may look terms up."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPlainTextEdit, QWidget

from termexplorer.services.study_presets import Scale, scales
from termexplorer.views.evaluate_files import FileField
from termexplorer.views.forms import choice, fields, form_column, heading, quiet

_TEXTS = "Texts (*.txt *.tsv);;All files (*)"
_LEVELS = {
    "nominal": "kinds, without an order",
    "ordinal": "steps in an order",
    "interval": "steps that are equally far apart",
}
_SCALES = {
    "same": "Same or not",
    "relatedness": "Relatedness, 0 to 3",
    "one-to-four": "Relatedness, 1 to 4",
}


class StudyQuestion(QWidget):
    """Asks for a scale, a question, guidelines, and where terms may be looked up.

    Signals:
        changed: the question is another one.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scale = choice("Scale")
        self.question, self.answers = QLineEdit(), quiet()
        self.guidelines = QPlainTextEdit()
        self.web = QCheckBox("Annotators may look terms up on the web")
        self.glossary = FileField(
            "Glossary", _TEXTS, "To look terms up in: a term, a tab and a text a line"
        )
        self._fill()
        self._lay_out()
        self.scale.activated.connect(self._on_scale)
        self.question.textChanged.connect(self.changed)
        self._on_scale()

    @property
    def asked(self) -> Scale:
        """The scale, with question and guidelines as they are written."""
        scale: Scale = scales()[self.scale.currentData()]
        guidelines = self.guidelines.toPlainText().strip()
        return replace(scale, question=self.question.text().strip(), guidelines=guidelines)

    @property
    def glossary_file(self) -> Path | None:
        """The file of the glossary, if there is one."""
        return next(iter(self.glossary.paths), None)

    def _fill(self) -> None:
        for name in scales():
            self.scale.addItem(_SCALES.get(name, name), name)
        named = {
            "Question": self.question, "Guidelines": self.guidelines, "Answers": self.answers,
        }  # fmt: skip
        for name, widget in named.items():
            widget.setAccessibleName(name)
        self.guidelines.setTabChangesFocus(True)
        self.guidelines.setMinimumHeight(160)
        self.guidelines.setToolTip("Shown before the first pair, and one key away then")
        self.web.setToolTip("Off by default; each use is recorded with the verdict")

    def _lay_out(self) -> None:
        column = form_column(self)
        column.addWidget(heading("What is asked"))
        column.addLayout(
            fields(("Scale", self.scale), ("Question", self.question), ("Answers", self.answers))
        )
        column.addWidget(heading("Guidelines"))
        column.addWidget(self.guidelines, 1)
        column.addWidget(self.web)
        column.addWidget(self.glossary)

    @Slot()
    def _on_scale(self) -> None:
        scale = scales()[self.scale.currentData()]
        self.question.setText(scale.question)
        self.guidelines.setPlainText(scale.guidelines)
        words = (f"{a.answer} ({a.meaning})" if a.meaning else a.answer for a in scale.answers)
        self.answers.setText(f"{' · '.join(words)}\nMeasured as {_LEVELS[scale.level]}")
