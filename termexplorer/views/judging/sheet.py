"""What is read between pairs: guidelines, what comes next, and what was done."""

from PySide6.QtCore import QSizeF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from termexplorer.texts import tr
from termexplorer.views.judging.words import JudgingTexts
from termexplorer.views.widgets.plain_label import PlainLabel

_WIDEST, _INSET = 720, 16


class JudgingSheet(QWidget):
    """A heading, a few words, a text that scrolls, and a way on.

    Signals:
        done: it was read.

    Attributes:
        heading: what it is.
        words: what there is to say.
        text: the guidelines.
        go_on: the button of the way on.
        save: writes the answers to a file.
    """

    done = Signal()

    def __init__(self, guidelines: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading, self.words = PlainLabel(wordWrap=True), PlainLabel(wordWrap=True)
        self.heading.setProperty("title", True)
        for label in (self.heading, self.words):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.text = QTextBrowser()
        self.text.setPlainText(guidelines)
        self.text.setAccessibleName(tr("Guidelines"))
        self.text.setTabChangesFocus(True)
        self.text.document().setDocumentMargin(_INSET)
        self.text.document().documentLayout().documentSizeChanged.connect(self._on_text_size)
        self.go_on, self.save = QPushButton(), QPushButton(tr("Save my answers as…"))
        for button in (self.go_on, self.save):
            button.setProperty("large", True)
        self.go_on.clicked.connect(self.done)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.save, self.go_on):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout()
        column.setSpacing(16)
        column.addWidget(self.heading)
        column.addWidget(self.words)
        column.addWidget(self.text, 1000)
        column.addLayout(buttons)
        column.addStretch()
        middle = QWidget()
        middle.setMaximumWidth(_WIDEST)
        middle.setLayout(column)
        whole = QHBoxLayout(self)
        whole.addStretch()
        whole.addWidget(middle, 1000)
        whole.addStretch()

    def show_words(self, words: JudgingTexts) -> None:
        """Says something; where there is no way on, saving is what is left."""
        self.heading.setText(words.heading)
        self.words.setText(words.text)
        self.text.setVisible(words.guidelines and bool(self.text.toPlainText()))
        self.go_on.setText(tr("{go_on}   (Enter)", go_on=words.go_on))
        self.go_on.setVisible(bool(words.go_on))
        self.save.setVisible(words.save)
        first = self.go_on if words.go_on else self.save
        texts = [words.heading, words.text, self.text.toPlainText() if words.guidelines else ""]
        for button in (self.go_on, self.save):
            button.setProperty("primary", button is first)
            # screen readers read what has the focus, and nothing around it
            button.setAccessibleDescription("\n".join(texts) if button is first else "")
            button.style().polish(button)
        self.setFocusProxy(first)
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(QSizeF)
    def _on_text_size(self, size: QSizeF) -> None:
        self.text.setMaximumHeight(int(size.height()) + 2 * self.text.frameWidth() + 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Enter, Space or Esc: on, where there is a way; Page Up and Down scroll."""
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Escape)
        if event.key() in keys and self.go_on.isVisible():
            self.done.emit()
        elif event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            bar, down = self.text.verticalScrollBar(), event.key() == Qt.Key.Key_PageDown
            bar.setValue(bar.value() + (1 if down else -1) * bar.pageStep())
        else:
            super().keyPressEvent(event)
