"""Asks which terms are checked against which, by which rules, and what counts as a finding."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from termexplorer.models.finding_table import rule_text
from termexplorer.services.check.background import FAIL_AT
from termexplorer.services.check.gate import CheckSettings
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.texts import mark, tr
from termexplorer.trainer.checking.findings import RULES
from termexplorer.views.curate.source_choice import SourceChoice
from termexplorer.views.widgets.forms import heading, make_primary
from termexplorer.views.widgets.number_box import percent_box
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.tick_list import TickList
from termexplorer.views.widgets.toggle_button import ToggleButton

_FILES = mark("Ontologies and tables (*);;All files (*)")
_WHOLE = 100  # per cent
_SHOWN_RULES = 4


class CheckForm(QWidget):
    """Two choices, each of a release or a file, rules, two thresholds, and a button.

    What shows the rules and thresholds, `more`, stands where its owner puts it.

    Signals:
        wanted: the new terms and what they are new against, each an id of a release or a path; the
            probability from which on a finding is grave, and `CheckSettings`.
    """

    wanted = Signal(str, str, float, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._running = False
        self.new = SourceChoice(
            tr("New terms"),
            tr("A newer file of the ontology, or a table of proposed terms"),
            _FILES,
        )
        self.known = SourceChoice(
            tr("Older release"), tr("The file that the terms are new against"), _FILES
        )
        self.fail_at = percent_box(round(_WHOLE * FAIL_AT), tr("Grave from"))
        self.at_least = percent_box(round(_WHOLE * CheckSettings().at_least), tr("Told from"))
        self.fail_at.setToolTip(tr("Findings of this probability or more are counted as grave"))
        self.at_least.setToolTip(tr("Findings of a smaller probability are left out"))
        self.rules = TickList(tr("Rules"), _SHOWN_RULES)
        self.rules.setToolTip(tr("What is looked for"))
        rules = [(rule, rule_text(rule), rule) for rule in RULES]
        self.rules.show_rows(rules, list(RULES))
        self._thresholds = QWidget()
        self.more = ToggleButton(tr("Rules and thresholds"), self._thresholds, self.fail_at)
        self.more.setToolTip(
            tr("What is looked for, and from which probability on it is grave, or told at all")
        )
        self.start = QPushButton(tr("Check the terms"))
        make_primary(self.start, self)
        self._lay_out()
        for side in (self.new, self.known):
            side.changed.connect(self._allow)
        self.rules.changed.connect(self._allow)
        self.start.clicked.connect(self._on_start)
        self._allow()

    def show_ontologies(self, ontologies: Sequence[Ontology]) -> None:
        """Offer releases, and the files that were chosen."""
        rows = [(f"{ontology.label} ({ontology.id})", str(ontology.id)) for ontology in ontologies]
        for side in (self.new, self.known):
            side.offer_rows(rows)
        if self.new.key == self.known.key and len(rows) > 1:
            self.new.choose_key(rows[-1][1])

    def show_running(self, running: bool) -> None:
        """Refuse another check while one runs."""
        self._running = running
        self._allow()

    def _lay_out(self) -> None:
        first, second = QHBoxLayout(), QHBoxLayout(self._thresholds)
        for row in (first, second):
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(8)
        for title, side in ((tr("New terms"), self.new), (tr("against"), self.known)):
            first.addWidget(heading(title))
            first.addWidget(side, 1)
        first.addWidget(self.start)
        for title, box in ((tr("Grave from"), self.fail_at), (tr("Told from"), self.at_least)):
            second.addWidget(PlainLabel(title))
            second.addWidget(box)
        second.addWidget(PlainLabel(tr("Rules")))
        second.addWidget(self.rules, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(first)
        column.addWidget(self._thresholds)

    @Slot()
    def _allow(self) -> None:
        """Let terms be checked where two different sources are chosen."""
        why = ""
        if self._running:
            why = tr("A check is running")
        elif not self.new.key or not self.known.key:
            why = tr("Choose a file, or import an ontology first")
        elif self.new.key == self.known.key:
            why = tr("Choose two different releases or files")
        elif not self.rules.ticked():
            why = tr("Tick a rule to look for")
        self.start.setEnabled(not why)
        self.start.setToolTip(why or tr("Tests each term that the older one does not have"))

    @Slot()
    def _on_start(self) -> None:
        fail_at, at_least = self.fail_at.value() / _WHOLE, self.at_least.value() / _WHOLE
        settings = CheckSettings(at_least, frozenset(self.rules.ticked()))
        self.wanted.emit(self.new.key, self.known.key, fail_at, settings)
