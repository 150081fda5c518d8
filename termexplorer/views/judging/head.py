"""The line above the pairs: what is judged, how far somebody is, guidelines and answers."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from termexplorer.services.studies.judging import JudgingProgress
from termexplorer.services.verdicts.judging_keys import GIVEN_ANSWERS, GUIDELINES
from termexplorer.texts import tr
from termexplorer.views.judging.words import told_progress
from termexplorer.views.widgets.elided_label import ElidedLabel
from termexplorer.views.widgets.keys import text_with_key

_MARGIN, _BAR = 24, 240
_ROOMY = 136  # letters


class JudgingHead(QWidget):
    """Title, progress and three buttons.

    Attributes:
        told: the progress in words.
        guidelines: shows or hides them.
        answers: shows or hides what was answered.
        save: writes the answers to a file.
    """

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = ElidedLabel(title)
        self._name.setProperty("quiet", True)
        self._bar = QProgressBar(textVisible=False)
        self._bar.setMaximumWidth(_BAR)
        self._bar.setAccessibleName(tr("Progress"))
        self.message = ElidedLabel()
        self.message.setProperty("quiet", True)
        self.guidelines = QPushButton(text_with_key(tr("Guidelines"), GUIDELINES))
        self.answers = QPushButton(text_with_key(tr("My answers"), GIVEN_ANSWERS))
        self.answers.setToolTip(tr("Your answers, to change one"))
        self.save = QPushButton(tr("Save my answers as…"))
        self.save.setToolTip(tr("Save your answers so far as the file to send back (Ctrl+S)"))
        row = QHBoxLayout(self)
        row.setContentsMargins(_MARGIN, 12, _MARGIN, 12)
        row.setSpacing(12)
        row.addWidget(self._name, 1)
        row.addWidget(self._bar, 1)
        row.addWidget(self.message, 2)
        row.addWidget(self.guidelines)
        row.addWidget(self.answers)
        row.addWidget(self.save)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Keeps the words before all else."""
        super().resizeEvent(event)
        roomy = self.width() > self.fontMetrics().averageCharWidth() * _ROOMY
        self._name.setVisible(roomy)
        self._bar.setVisible(roomy)

    def allow_guidelines(self, has_any: bool) -> None:
        """Offer the guidelines, or say that there are none."""
        self.guidelines.setEnabled(has_any)
        self.guidelines.setToolTip("" if has_any else tr("This study has no guidelines"))

    def show_progress(self, progress: JudgingProgress) -> None:
        """Shows how far somebody is."""
        practising = progress.practised < progress.practice and not progress.judged
        done, of = progress.judged, progress.asked
        if practising:
            done, of = progress.practised, progress.practice
        self._bar.setMaximum(max(1, of))
        self._bar.setValue(done)
        self.message.setText(told_progress(progress))
        self._bar.setAccessibleDescription(self.message.text())
