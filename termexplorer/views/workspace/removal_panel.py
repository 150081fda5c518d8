"""Removing an ontology: what goes with it, what stays, and a last question."""

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from termexplorer.plain_text import plain_tip
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.workspace.removal import Removal, look_at_removal
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.panel import Panel
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared

_BUSY = mark("A job is running (see the bottom bar): wait for it, or cancel it")


class RemovalPanel(Panel):
    """Asks whether an ontology is to go.

    Signals:
        wanted: the `Ontology` that is to be removed; it was confirmed.
    """

    wanted = Signal(object)

    def __init__(self, shared: Shared, ontology: Ontology, parent: QWidget | None = None) -> None:
        super().__init__(tr("Remove {name}?", name=ontology.label), parent)
        self._shared, self._ontology = shared, ontology
        self._removal: Removal | None = None
        self._held = ""
        self.message = PlainLabel(tr("Counting dependent data…"), wordWrap=True)
        self.message.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.remove = QPushButton(tr("Remove all this"))
        self.keep = QPushButton(tr("Keep it"))
        self._questions = LatestQueryWorker(self)
        self._questions.answered.connect(self._on_counted)
        self._questions.failed.connect(self.message.setText)
        self.content.addWidget(self.message)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.remove)
        row.addWidget(self.keep)
        row.addStretch(1)
        self.content.addLayout(row)
        self.content.addStretch(1)
        self.remove.clicked.connect(self._on_remove)
        self.keep.clicked.connect(self.closed)
        shared.jobs.changed.connect(self._allow)
        self.setFocusProxy(self.keep)
        self._allow()
        self._questions.ask(partial(look_at_removal, shared.workspace, ontology.id))

    def release(self) -> None:
        """Ends its thread."""
        self._questions.close()

    @Slot(object)
    def _on_counted(self, removal: Removal) -> None:
        self._removal = removal
        goes = "\n".join(f"– {line}" for line in removal.goes)
        before = tr("This is removed for good:")
        if removal.why_not:
            self._held = tr("It cannot be removed yet: {why}.", why=removal.why_not)
        texts = (f"{before}\n{goes}", removal.stays, self._held)
        self.message.setText("\n\n".join(filter(None, texts)))
        self._allow()

    @Slot()
    def _allow(self) -> None:
        jobs = self._shared.jobs
        busy = bool(jobs.running() or jobs.waiting())
        self.remove.setEnabled(self._removal is not None and not self._held and not busy)
        self.remove.setToolTip(plain_tip(self._held) or (translated(_BUSY) if busy else ""))

    @Slot()
    def _on_remove(self) -> None:
        self.wanted.emit(self._ontology)
        self.closed.emit()
