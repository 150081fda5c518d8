"""The maps that are kept, by their titles: one is chosen, or called otherwise."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QStackedWidget, QWidget

from termexplorer.services.map.kept_maps import KeptMap
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.forms import choice
from termexplorer.views.widgets.keys import add_key

_LETTERS = 20
_NO_MAP = mark("Draw a map first; it is kept from then on")
_CHOOSE = mark("Kept maps")
_BY_COMMAND = mark("It was drawn by a command, with parameters that this page does not ask for")
RENAME_KEY = "F2"


class KeptMaps(QWidget):
    """Offers the maps of an ontology; the title of the one on show is edited where it stands.

    Signals:
        opened: a `KeptMap` that is to be shown.
        renamed: a `KeptMap`, and what it is to be called; nothing for what it is of.
    """

    opened = Signal(object)
    renamed = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._maps: Sequence[KeptMap] = ()
        self._shown = ""
        self.box = choice(translated(_CHOOSE), _LETTERS)
        self.box.setPlaceholderText(translated(_CHOOSE))
        self.field = QLineEdit()
        self.field.setAccessibleName(tr("Title of the map"))
        self.rename = QPushButton(tr("Rename…"))
        self._stack = QStackedWidget()
        for widget in (self.box, self.field):
            self._stack.addWidget(widget)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self._stack, 1)
        row.addWidget(self.rename)
        self.box.activated.connect(self._on_activated)
        self.rename.clicked.connect(self.edit_title)
        self.field.returnPressed.connect(self._on_entered)
        self.field.installEventFilter(self)
        self._add_menu()
        self._allow()

    @property
    def shown(self) -> KeptMap | None:
        """Return the map on show, if it is kept."""
        return next(
            (
                stored_map
                for stored_map in self._maps
                if stored_map.info.content_hash == self._shown
            ),
            None,
        )

    def show_maps(self, maps: Sequence[KeptMap]) -> None:
        """Offer maps; those that the page cannot ask for tell why they cannot be chosen."""
        self._maps = maps
        with QSignalBlocker(self.box):
            self.box.clear()
            for stored_map in maps:
                self.box.addItem(stored_map.title, stored_map.info.content_hash)
                tip = (
                    stored_map.subject if can_be_asked_for(stored_map) else translated(_BY_COMMAND)
                )
                self.box.setItemData(self.box.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self._select()

    def select(self, content_hash: str) -> None:
        """Tell which map is on show; nothing for none that is kept."""
        if content_hash != self._shown:
            self._shown = content_hash
            self._stop_editing()
        self._select()

    @Slot()
    def edit_title(self) -> None:
        """Have the title of the map on show edited."""
        if self.shown is not None:
            self.field.setText(self.shown.title)
            self._stack.setCurrentWidget(self.field)
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)
            self.field.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Leave the title as it was on Esc, or when the keys go elsewhere."""
        escaped = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if event.type() == QEvent.Type.ShortcutOverride and escaped:
            event.accept()  # or a dialog around would close
            return True
        if event.type() == QEvent.Type.KeyPress and escaped:
            self._stop_editing()
            return True
        if event.type() == QEvent.Type.FocusOut and not self.field.hasFocus():
            self._stop_editing()
        return super().eventFilter(watched, event)

    def _add_menu(self) -> None:
        action = QAction(self.rename.text(), self.box)
        action.triggered.connect(self.edit_title)
        self.box.addAction(action)
        self.box.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        add_key(RENAME_KEY, self, self.edit_title)

    def _select(self) -> None:
        with QSignalBlocker(self.box):
            self.box.setCurrentIndex(self.box.findData(self._shown) if self._shown else -1)
        self._allow()

    def _allow(self) -> None:
        has_map = self.shown is not None
        self.rename.setEnabled(has_map)
        self.rename.setToolTip(tr("F2 does too") if has_map else translated(_NO_MAP))
        self.box.setEnabled(bool(self._maps))
        stored_map = self.shown
        tip = stored_map.subject if stored_map else translated(_CHOOSE)
        self.box.setToolTip(tip if self._maps else translated(_NO_MAP))

    def _stop_editing(self) -> None:
        if self._stack.currentWidget() is self.field:
            had_keys = self.field.hasFocus()
            self._stack.setCurrentWidget(self.box)
            if had_keys:
                self.box.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_entered(self) -> None:
        stored_map, title = self.shown, self.field.text().strip()
        self._stop_editing()
        if stored_map is not None and title != stored_map.title:
            self.renamed.emit(stored_map, "" if title == stored_map.subject else title)

    @Slot(int)
    def _on_activated(self, row: int) -> None:
        chosen = self._maps[row]
        if chosen.info.content_hash == self._shown:
            return
        if can_be_asked_for(chosen):
            self.opened.emit(chosen)
        else:
            self._select()


def can_be_asked_for(stored_map: KeptMap) -> bool:
    """Return whether the form of the page has fields for all that a map was asked with."""
    request = stored_map.request
    if request is None or not set(request.parameters) <= {"perplexity"}:
        return False
    choices = (request.root, request.search, request.list_title)
    whole = float(request.parameters.get("perplexity") or 0).is_integer()
    return whole and sum(map(bool, choices)) <= 1
