"""What a study asks of each pair, and where annotators may look terms up."""

from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPlainTextEdit, QWidget

from termexplorer.services.studies.presets import Scale, offered_scales
from termexplorer.texts import mark, tr, translated
from termexplorer.views.evaluate.files import FileField
from termexplorer.views.judge.study_answers_form import StudyAnswersForm
from termexplorer.views.widgets.forms import choice, fields, form_column, heading

_TEXTS = mark("Texts (*.txt *.tsv);;All files (*)")
_SCALES = {
    "same": mark("Same or not"),
    "relatedness": mark("Relatedness, 0 to 3"),
    "one-to-four": mark("Relatedness, 1 to 4"),
}
_OWN = mark("Your own answers")
_NOTHING_YET = Scale("", "nominal", "", ())


class StudyQuestion(QWidget):
    """Asks for a scale, a question, guidelines, and where terms may be looked up.

    Signals:
        changed: the question is another one.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scale = choice(tr("Scale"))
        self.question, self.answers = QLineEdit(), StudyAnswersForm()
        self.guidelines = QPlainTextEdit()
        self.web = QCheckBox(tr("Annotators may look terms up on the web"))
        self.glossary = FileField(
            tr("Glossary"), translated(_TEXTS),
            tr("To look terms up in: a term, a tab and a text a line"),
        )  # fmt: skip
        self._fill()
        self._lay_out()
        self.scale.activated.connect(self._on_scale)
        self.question.textChanged.connect(self.changed)
        self.answers.changed.connect(self.changed)
        self._on_scale()

    @property
    def asked(self) -> Scale:
        """What is asked, as it is written.

        Raises:
            ValueError: with what is wrong with the answers in words.
        """
        return Scale(
            self.question.text().strip(),
            self.answers.level.currentData(),
            self.guidelines.toPlainText().strip(),
            self.answers.answers,
            self.answers.similar.currentData(),
        )

    @property
    def why_not(self) -> str:
        """What is missing, in words; empty if nothing is."""
        return self.answers.why_not if self.question.text().strip() else tr("Ask a question")

    @property
    def glossary_file(self) -> Path | None:
        """The file of the glossary, if there is one."""
        return next(iter(self.glossary.paths), None)

    def _fill(self) -> None:
        for name in offered_scales():
            self.scale.addItem(translated(_SCALES.get(name, name)), name)
        self.scale.addItem(translated(_OWN))
        self.question.setAccessibleName(tr("Question"))
        self.guidelines.setAccessibleName(tr("Guidelines"))
        self.guidelines.setTabChangesFocus(True)
        self.guidelines.setMinimumHeight(160)
        self.guidelines.setToolTip(tr("Shown before the first pair, and one key away then"))
        self.web.setToolTip(tr("Off by default; each use is recorded with the verdict"))

    def _lay_out(self) -> None:
        column = form_column(self)
        column.addWidget(heading(tr("What is asked")))
        column.addLayout(fields((tr("Scale"), self.scale), (tr("Question"), self.question)))
        column.addWidget(self.answers)
        column.addWidget(heading(tr("Guidelines")))
        column.addWidget(self.guidelines, 1)
        column.addWidget(self.web)
        column.addWidget(self.glossary)

    @Slot()
    def _on_scale(self) -> None:
        scale = offered_scales().get(self.scale.currentData(), _NOTHING_YET)
        self.question.setText(scale.question)
        self.guidelines.setPlainText(scale.guidelines)
        self.answers.show_scale(scale)
