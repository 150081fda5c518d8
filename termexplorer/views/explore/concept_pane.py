"""The page of one concept: names, definition, paths, counts, all to be selected and copied."""

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from termexplorer.services.explore.browsing import ConceptPage
from termexplorer.texts import tr
from termexplorer.views.explore.concept_browser import AROUND, ConceptBrowser
from termexplorer.views.explore.concept_html import concept_html, concept_title
from termexplorer.views.widgets.icons import icon
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.theme import Theme
from termexplorer.views.window.level_facts import Facts


class ConceptPane(QWidget):
    """Shows a `ConceptPage`.

    Signals:
        link_followed: the id of a concept.
        bookmark_toggled: the star was pressed; with the id of the concept on show.
    """

    link_followed = Signal(object)
    bookmark_toggled = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._page: ConceptPage | None = None
        self._facts: Facts | None = None
        self._bookmarked = False
        self.title = PlainLabel(wordWrap=True)
        self.title.setProperty("title", True)
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.star = QToolButton()
        self.star.setIconSize(QSize(18, 18))
        self.star.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.star.clicked.connect(self._on_star)
        self.browser = ConceptBrowser(tr("Concept"))
        self.browser.followed.connect(self.link_followed)
        self._lay_out()
        theme.changed.connect(self._paint)
        self._paint()

    @property
    def page(self) -> ConceptPage | None:
        """What is on show."""
        return self._page

    @Slot(object)
    def show_page(self, page: ConceptPage | None) -> None:
        """Shows a concept, or a hint where none is chosen."""
        self._page = page
        self._paint()

    @Slot(object)
    def show_facts(self, facts: Facts) -> None:
        """Shows the classes that the concept belongs to, if it is still on show."""
        if facts != self._facts:
            self._facts = facts
            self._paint()

    def show_bookmarked(self, bookmarked: bool) -> None:
        """Fills the star or empties it."""
        self._bookmarked = bookmarked
        self._paint_star()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.star, 0, Qt.AlignmentFlag.AlignTop)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(20 - AROUND, 16, 12, 8)
        column.setSpacing(6 - AROUND)
        head.setContentsMargins(AROUND, 0, 0, 0)
        column.addLayout(head)
        column.addWidget(self.browser, 1)
        hint = PlainLabel(tr("Choose a concept in the tree, or search with Ctrl+K."))
        hint.setProperty("quiet", True)
        hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        hint.setWordWrap(True)
        hint.setContentsMargins(24, 0, 24, 0)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(hint)
        self._stack.addWidget(body)

    @Slot()
    def _paint(self) -> None:
        self._stack.setCurrentIndex(1 if self._page else 0)
        if self._page is None:
            return
        at = self.browser.verticalScrollBar().value()
        self.title.setText(concept_title(self._page.concept))
        fits = self._facts is not None and self._facts.concept_id == self._page.concept.id
        facts = self._facts if fits else None
        self.browser.setHtml(concept_html(self._page, self._theme.colours, facts))
        self.browser.verticalScrollBar().setValue(at)
        self._paint_star()

    def _paint_star(self) -> None:
        colours = self._theme.colours
        name = "bookmark-simple-fill" if self._bookmarked else "bookmark-simple"
        self.star.setIcon(icon(name, colours.accent if self._bookmarked else colours.quiet))
        self.star.setToolTip(
            tr("Remove the bookmark (Ctrl+D)") if self._bookmarked else tr("Bookmark (Ctrl+D)")
        )
        self.star.setAccessibleName(tr("Bookmarked") if self._bookmarked else tr("Not bookmarked"))

    @Slot()
    def _on_star(self) -> None:
        if self._page:
            self.bookmark_toggled.emit(self._page.concept.id)
