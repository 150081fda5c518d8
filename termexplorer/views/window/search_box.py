"""The search box and the list of what it found, below it."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QDragEnterEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QListView, QVBoxLayout, QWidget

from termexplorer.models.hits import HitsModel
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.explore.browsing import (
    SearchAnswer,
    answer_search,
    told_missing,
    told_near,
)
from termexplorer.texts import tr
from termexplorer.views.widgets.icons import icon
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.theme import Theme
from termexplorer.workspace import Workspace

_MOST_ROWS = 14
_MOVES = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: 10,
    Qt.Key.Key_PageUp: -10,
}


class SearchBox(QLineEdit):
    """Searches as the user types.

    Signals:
        chosen: release id and concept id of the hit that was taken.
    """

    chosen = Signal(object, object)

    def __init__(
        self,
        workspace: Workspace,
        theme: Theme,
        ontology_id: Callable[[], int | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._ontology_id = ontology_id
        self._labels: dict[int, str] = {}
        self._theme = theme
        self._taking = False  # Enter was pressed before the answer came
        self.questions = LatestQueryWorker(self)
        self.questions.answered.connect(self._on_answered)
        self.setAccessibleName(tr("Search names and codes"))
        self.setClearButtonEnabled(True)
        self._sign = self.addAction(
            icon("magnifying-glass", theme.colours.quiet), QLineEdit.ActionPosition.LeadingPosition
        )
        self.hits = HitsModel(self)
        self._empty = _quiet_label(tr("Nothing found. Try fewer words or the start of a word."))
        self.near = _quiet_label("")
        self.near.setWordWrap(True)
        self.more_there = _quiet_label(tr("More results exist; type more to narrow the search."))
        self._popup, self.list = self._make_popup()
        self.textEdited.connect(self._on_edited)
        theme.changed.connect(self._paint_icon)

    def use_labels(self, labels: dict[int, str]) -> None:
        """Names of all releases, to tell where a hit is that is not in the current one."""
        self._labels = labels

    @property
    def popup_shown(self) -> bool:
        """Whether the list is open."""
        return self._popup.isVisibleTo(self.window())

    def close_popup(self) -> None:
        """Closes the list."""
        self.questions.forget()
        self._taking = False
        self._popup.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Arrows move in the list, Enter takes a hit, Esc closes."""
        key = Qt.Key(event.key())
        if key in _MOVES and self.popup_shown:
            self._move(_MOVES[key])
        elif key == Qt.Key.Key_Down and self.text():
            self._on_edited(self.text())
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take_current()
        elif key == Qt.Key.Key_Escape:
            self._on_escape()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Takes words; files are the window's, wherever they fall."""
        if event.mimeData().hasUrls():
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Keeps the list under the box while the window changes its size."""
        if event.type() == QEvent.Type.Resize and self.popup_shown:
            self._place_popup()
        return super().eventFilter(watched, event)

    def _make_popup(self) -> tuple[QFrame, QListView]:
        popup = QFrame()
        popup.setObjectName("floating")
        view = QListView(popup)
        view.setModel(self.hits)
        view.setUniformItemSizes(True)
        view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        view.setAccessibleName(tr("Search results"))
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.clicked.connect(self._on_clicked)
        self._rows = QVBoxLayout(popup)
        self._rows.setContentsMargins(1, 4, 1, 4)
        for widget in (self.near, view, self._empty, self.more_there):
            self._rows.addWidget(widget)
        popup.hide()
        return popup, view

    def _on_escape(self) -> None:
        if self.popup_shown:
            self.close_popup()
        else:
            self.clear()

    @Slot(str)
    def _on_edited(self, text: str) -> None:
        if not text.strip():
            self.close_popup()
            return
        self.questions.ask(partial(answer_search, self._workspace, text, self._ontology_id()))

    @Slot(object)
    def _on_answered(self, answer: SearchAnswer) -> None:
        current = self._ontology_id()
        other_labels = {id_: label for id_, label in self._labels.items() if id_ != current}
        self.hits.show_answer(answer, other_labels)
        near_text = told_near(answer.query, answer.near) if answer.near else ""
        self.near.setText(told_missing(answer.missing) if answer.missing else near_text)
        self.near.setVisible(bool(self.near.text()))
        if self._taking and answer.hits and not answer.near:
            self._taking = False
            self._take(0)
            return
        self._taking = False
        self.more_there.setVisible(answer.cut)
        self._show_popup(bool(answer.hits))

    def _show_popup(self, has_hits: bool) -> None:
        self.list.setVisible(has_hits)
        self._empty.setVisible(not has_hits)
        if has_hits:
            self.list.setCurrentIndex(self.hits.index(0))
            self.list.scrollToTop()
        if self._popup.parentWidget() is not self.window():
            from termexplorer.views.window.hit_delegate import HitDelegate  # draws with much of Qt

            self.list.setItemDelegate(HitDelegate(self._theme, self.list))
            self._popup.setParent(self.window())
            self.window().installEventFilter(self)
        self._place_popup()
        self._popup.show()
        self._cover()
        self._popup.raise_()

    def _cover(self) -> None:
        """Has nothing under the list drawn again at every letter; a style sheet undoes it."""
        self.list.viewport().setAutoFillBackground(True)

    def _place_popup(self) -> None:
        rows = min(self.hits.rowCount(), _MOST_ROWS)
        height = rows * self.list.sizeHintForRow(0) + 14 if rows else 48
        for label in (self.near, self.more_there):
            needed = label.heightForWidth(self.width()) + self._rows.spacing()
            height += 0 if label.isHidden() else needed
        corner = self.mapTo(self.window(), QPoint(0, self.height() + 4))
        room = self.window().height() - corner.y() - 8
        self._popup.setGeometry(corner.x(), corner.y(), self.width(), min(height, room))

    def _move(self, rows: int) -> None:
        last = self.hits.rowCount() - 1
        row = min(max(self.list.currentIndex().row() + rows, 0), last)
        self.list.setCurrentIndex(self.hits.index(row))

    def _take_current(self) -> None:
        if self.popup_shown and self.hits.rowCount():
            self._take(max(self.list.currentIndex().row(), 0))
        elif self.text().strip():
            self._taking = True
            self._on_edited(self.text())

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self._take(index.row())

    def _take(self, row: int) -> None:
        release_id, concept_id = self.hits.target(row)
        self.close_popup()
        self.chosen.emit(release_id, concept_id)

    @Slot()
    def _paint_icon(self) -> None:
        self._sign.setIcon(icon("magnifying-glass", self._theme.colours.quiet))


def _quiet_label(text: str) -> QLabel:
    label = PlainLabel(text)
    label.setProperty("quiet", True)
    label.setContentsMargins(12, 8, 12, 8)
    return label
