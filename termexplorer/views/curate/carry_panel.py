"""Choosing mappings to carry over: which, from which release, and to which."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QPushButton, QWidget

from termexplorer.services.curate.suggestion_lists import KeptList
from termexplorer.services.curate.suggestion_words import name_list
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.texts import mark, number, tr
from termexplorer.views.curate.source_choice import SourceChoice
from termexplorer.views.widgets.forms import allow_start, make_primary
from termexplorer.views.widgets.keys import submit_by_keys
from termexplorer.views.widgets.panel import Panel
from termexplorer.views.widgets.plain_label import PlainLabel

_MAPPINGS = mark(
    "Mappings (*.sssom.tsv *.tsv *.json *.csv *.xlsx *.parquet *.jsonl);;All files (*)"
)
_RELEASES = mark("Ontologies (*);;All files (*)")
_WIDEST = 720


class CarryPanel(Panel):
    """Asks which mappings are carried over from which release to which.

    Signals:
        wanted: the mappings, their release and the newer one: each an id or a path.
    """

    wanted = Signal(str, str, str)

    def __init__(
        self,
        lists: Sequence[KeptList],
        ontologies: Sequence[Ontology],
        releases: tuple[int | None, int | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Carry mappings over to a newer release"), parent)
        self.mappings = SourceChoice(
            tr("Mappings"),
            tr("A file of mappings (SSSOM, FHIR, OMOP, Usagi), also with rejections and comments"),
            _MAPPINGS,
        )
        self.older = SourceChoice(
            tr("Older release"), tr("The release that the mappings are on"), _RELEASES
        )
        self.newer = SourceChoice(tr("Newer release"), tr("The newer release"), _RELEASES)
        self.hint = PlainLabel(wordWrap=True)
        self.start = QPushButton(tr("Carry over"))
        make_primary(self.start, self)
        self._lay_out()
        titles = [(_name_mappings(kept_list), str(kept_list.id)) for kept_list in lists]
        rows = [(f"{ontology.label} ({ontology.id})", str(ontology.id)) for ontology in ontologies]
        self.mappings.offer_rows(titles)
        for side, release_id in zip((self.older, self.newer), releases, strict=True):
            side.offer_rows(rows)
            side.choose_key(str(release_id))
        for side in (self.mappings, self.older, self.newer):
            side.changed.connect(self._allow)
        self.start.clicked.connect(self._on_start)
        submit_by_keys(self, self.start.click)
        self._allow()

    def choose_again(self, mappings: str, older: str, newer: str) -> None:
        """Choose what was to be carried over before, each an id or a path."""
        sides = (self.mappings, self.older, self.newer)
        for side, key in zip(sides, (mappings, older, newer), strict=True):
            side.choose_source(key)

    @property
    def missing(self) -> str:
        """What is to be done before it can start; "" for nothing."""
        if not self.mappings.key:
            return tr("Choose a file of mappings, or review some first")
        if not self.older.key or not self.newer.key:
            return tr("Choose a file, or import an ontology first")
        if self.older.key == self.newer.key:
            return tr("Choose two different releases or files")
        return ""

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setSpacing(12)
        for title, side in (
            (tr("Mappings"), self.mappings),
            (tr("From", sense="release"), self.older),
            (tr("to", sense="release"), self.newer),
        ):
            side.setMaximumWidth(_WIDEST)
            form.addRow(title, side)
        self.content.addLayout(form)
        explanation = PlainLabel(
            tr(
                "What holds stays as it is judged. What is stale comes first in the list that you "
                "review then: withdrawn, replaced, merged, split, renamed or moved concepts, each "
                "with what may take its place. Rejections and comments come along."
            ),
            wordWrap=True,
        )
        explanation.setProperty("quiet", True)
        self.hint.setProperty("quiet", True)
        explanation.setMaximumWidth(_WIDEST)
        self.content.addWidget(explanation)
        last = QHBoxLayout()
        last.setSpacing(8)
        last.addWidget(self.start)
        last.addWidget(self.hint, 1)
        self.content.addLayout(last)
        self.content.addStretch(1)

    @Slot()
    def _allow(self) -> None:
        allow_start(self.start, self.hint, self.missing)

    @Slot()
    def _on_start(self) -> None:
        self.wanted.emit(self.mappings.key, self.older.key, self.newer.key)
        self.closed.emit()


def _name_mappings(kept_list: KeptList) -> str:
    return f"{name_list(kept_list.head)} ({number(kept_list.count)})"
