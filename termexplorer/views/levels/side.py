"""The left of the Levels page: root, rules, and what the rules took out."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from termexplorer.services.levels.lens import CleaningCounts
from termexplorer.texts import tr
from termexplorer.views.levels.root import RootChoice
from termexplorer.views.levels.rules import LevelRules
from termexplorer.views.levels.words import removed_text
from termexplorer.views.widgets.forms import heading
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared

_NARROWEST = 264


class LevelSide(QScrollArea):
    """A column of forms."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.root = RootChoice(shared)
        self.rules = LevelRules()
        self.removed = PlainLabel("", wordWrap=True)
        self.removed.setProperty("quiet", True)
        self.removed.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        for title, widget in (
            (tr("Root"), self.root),
            (tr("Rules"), self.rules),
            (tr("Removed by the rules"), self.removed),
        ):
            column.addWidget(heading(title))
            column.addWidget(widget)
            column.addSpacing(16)
        column.addStretch(1)
        self.setWidget(inside)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is in it takes the keys
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """As wide as what is in it needs, in whatever font."""
        least, inside = super().minimumSizeHint(), self.widget()
        needed = inside.minimumSizeHint().width() if inside else 0
        return QSize(max(_NARROWEST, needed), least.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Asks for more room when what is in it needs more."""
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def show_removed(self, removed: CleaningCounts) -> None:
        """Says what the rules took out of the taxonomy."""
        self.removed.setText(removed_text(removed).replace(" · ", "\n"))

    def close_side(self) -> None:
        """Ends the thread of the search."""
        self.root.close_choice()
