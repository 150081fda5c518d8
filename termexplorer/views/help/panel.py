"""The help: topics at the left, searched as one types, and the topic at the right."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from termexplorer.services.workspace.help_topics import found, order_topics, topics
from termexplorer.texts import tr
from termexplorer.views.help.text import HelpText
from termexplorer.views.widgets.panel import Panel

_KEY = Qt.ItemDataRole.UserRole
_LIST_WIDTH, _WIDEST = 220, 880
_MARGIN = 16


class HelpPanel(Panel):
    """Shows a topic; links lead to others, or to a browser.

    Args:
        key: of the topic.
        pages: keys of the window's pages, each of which has a topic.
    """

    def __init__(self, key: str, pages: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(tr("Help"), parent)
        self._pages = pages
        self.search = QLineEdit(placeholderText=tr("Search the help"), clearButtonEnabled=True)
        self.search.setAccessibleName(tr("Search the help"))
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Topics"))
        self.list.setWordWrap(True)  # or long titles would be cut
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text = HelpText()
        self.text.setAccessibleName(tr("Topic"))
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(_MARGIN)
        self.text.setMaximumWidth(_WIDEST)
        self._lay_out()
        self.search.textChanged.connect(self._on_searched)
        self.search.returnPressed.connect(self.text.setFocus)
        self.list.currentItemChanged.connect(self._on_chosen)
        self.text.anchorClicked.connect(self._on_link)
        self._on_searched("")
        self.show_topic(key)
        self.setFocusProxy(self.text)

    def show_topic(self, key: str) -> None:
        """Shows a topic by its key, the first one where there is none."""
        keys = order_topics(self._pages)
        row = keys.index(key) if key in keys else 0
        self.search.clear()
        self.list.setCurrentRow(row)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Lays the rows out anew, as the style sheet makes them higher."""
        super().showEvent(event)
        self.list.scheduleDelayedItemsLayout()

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(8)
        left.addWidget(self.search)
        left.addWidget(self.list, 1)
        side = QWidget()
        side.setLayout(left)
        left.setContentsMargins(0, 0, 0, 0)
        side.setFixedWidth(_LIST_WIDTH)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(side)
        row.addWidget(self.text, 100)
        row.addStretch(1)
        self.content.addLayout(row, 1)

    @Slot(str)
    def _on_searched(self, words: str) -> None:
        self.list.clear()
        for topic in found(words, self._pages) if words.strip() else topics(self._pages):
            item = QListWidgetItem(topic.title, self.list)
            item.setData(_KEY, topic.key)
        self.list.setCurrentRow(0)

    @Slot(QListWidgetItem, QListWidgetItem)
    def _on_chosen(self, item: QListWidgetItem | None, _before: object) -> None:
        if item is None:
            self.text.setPlainText(tr("No matching topic."))
            return
        topic = next(
            candidate for candidate in topics(self._pages) if candidate.key == item.data(_KEY)
        )
        self.text.show_markdown(topic.text)
        words = self.search.text().split()
        if words:
            self.text.find(words[0])

    @Slot(QUrl)
    def _on_link(self, link: QUrl) -> None:
        if link.scheme():
            QDesktopServices.openUrl(link)
        else:
            self.show_topic(link.toString())
