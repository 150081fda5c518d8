"""The left of the Levels page: root, rules, and what the rules took out."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from termexplorer.services.levels import Removed
from termexplorer.views.forms import heading
from termexplorer.views.levels_root import RootChoice
from termexplorer.views.levels_rules import LevelRules
from termexplorer.views.levels_words import removed_text
from termexplorer.views.page import Shared

_NARROWEST = 264


class LevelSide(QScrollArea):
    """A column of forms."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.root = RootChoice(shared)
        self.rules = LevelRules()
        self.removed = QLabel("", wordWrap=True)
        self.removed.setProperty("quiet", True)
        self.removed.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        for title, widget in (
            ("Root", self.root),
            ("Rules", self.rules),
            ("Removed by the rules", self.removed),
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
        self.setMinimumWidth(_NARROWEST)

    def show_removed(self, removed: Removed) -> None:
        """Says what the rules took out of the taxonomy."""
        self.removed.setText(removed_text(removed).replace(" · ", "\n"))

    def close_side(self) -> None:
        """Ends the thread of the search."""
        self.root.close_choice()
