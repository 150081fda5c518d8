"""A list in parts: dealt out to people, how far each is, and how well they agree."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Signal, Slot
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QTableView,
    QWidget,
)

from termexplorer.models.plain_table import PlainTableModel
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.agreement.agreement import METRICS
from termexplorer.services.agreement.couple_matrix import told_figure
from termexplorer.services.curate.answers.list_outcomes import DIFFER, OUTCOME_WORDS
from termexplorer.services.curate.answers.list_parts import (
    ListPart,
    ListParts,
    measure_parts,
    read_parts,
    split_list,
)
from termexplorer.services.curate.suggestion_words import name_list
from termexplorer.services.verdicts.people import Judge, add_person
from termexplorer.texts import number, tr, translated
from termexplorer.views.widgets.forms import allow_start, make_primary
from termexplorer.views.widgets.keys import submit_by_keys
from termexplorer.views.widgets.number_box import percent_box
from termexplorer.views.widgets.panel import Panel
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.tables.table import dress
from termexplorer.views.widgets.tick_list import TickList
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.services.agreement.agreement import AgreementReport
    from termexplorer.services.curate.suggestion_lists import KeptSearch

_WIDEST, _NUMBER_WIDTH, _MOST_SHOWN, _WHOLE = 720, 96, 6, 100
_FIGURES = ("cohen", "agreement")


class PartsPanel(Panel):
    """Asks who answers a list, and shows what they did.

    Signals:
        list_wanted: a list (its id) is to be reviewed.
        differing_wanted: what people differ on in the whole list (its id) is to be decided.
        split: the list was dealt out.
    """

    list_wanted = Signal(object)
    differing_wanted = Signal(object)
    split = Signal()

    def __init__(
        self,
        workspace: Workspace,
        list_id: int,
        people: Sequence[Judge],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Parts of a list"), parent)
        self._workspace, self._list_id = workspace, list_id
        self._people = list(people)
        self._parts: tuple[ListPart, ...] = ()
        self._reading, self._measuring, self._splitting = (
            LatestQueryWorker(self) for _ in range(3)
        )
        self.title = PlainLabel(wordWrap=True)
        self.people = TickList(tr("Who answers"), _MOST_SHOWN)
        self.name = QLineEdit(placeholderText=tr("Somebody else: name, Enter"))
        self.name.setAccessibleName(tr("Name of somebody else who answers"))
        self.twice = percent_box(0, tr("Answered by two, blind to each other"))
        self.start = QPushButton(tr("Deal out"))
        make_primary(self.start, self)
        self.hint, self.agreement = PlainLabel(wordWrap=True), PlainLabel(wordWrap=True)
        self._model = PlainTableModel(self)
        self.table = QTableView()
        self.table.setModel(self._model)
        self.open, self.differing = QPushButton(tr("Review this part")), QPushButton()
        self._lay_out()
        self._connect()
        self._offer_people(())
        self._show_parts(None)
        self._read()

    def release(self) -> None:
        """End the threads."""
        for worker in (self._reading, self._measuring, self._splitting):
            worker.close()

    def _lay_out(self) -> None:
        for widget in (self.people, self.name):
            widget.setMaximumWidth(_WIDEST)
        self.twice.setMaximumWidth(_NUMBER_WIDTH)
        for label in (self.title, self.hint, self.agreement):
            label.setProperty("quiet", True)
        form = QFormLayout()
        form.setSpacing(12)
        form.addRow(tr("Who answers"), self.people)
        form.addRow("", self.name)
        form.addRow(tr("By two, blind"), self.twice)
        first, last = QHBoxLayout(), QHBoxLayout()
        first.addWidget(self.start)
        first.addWidget(self.hint, 1)
        last.addWidget(self.open)
        last.addWidget(self.differing)
        last.addWidget(self.agreement, 1)
        dress(self.table, tr("Parts"))
        self.content.addWidget(self.title)
        self.content.addLayout(form)
        self.content.addLayout(first)
        self.content.addWidget(self.table, 1)
        self.content.addLayout(last)

    def _connect(self) -> None:
        self.name.returnPressed.connect(self._on_name)
        self.people.changed.connect(self._allow)
        self.twice.valueChanged.connect(self._allow)
        self.start.clicked.connect(self._on_start)
        submit_by_keys(self, self.start.click)
        self.table.activated.connect(self._on_open)
        self.open.clicked.connect(self._on_open)
        self.differing.clicked.connect(self._on_differing)
        self._reading.answered.connect(self._show_parts)
        self._measuring.answered.connect(self._show_agreement)
        self._splitting.answered.connect(self._on_split)
        for worker in (self._reading, self._measuring, self._splitting):
            worker.failed.connect(self.hint.setText)

    @property
    def missing(self) -> str:
        """What is to be done before the list can be dealt out; "" for nothing."""
        ticked = len(self.people.ticked())
        if not ticked:
            return tr("Tick who answers, or enter a name")
        if self.twice.value() and ticked < 2:
            return tr("Tick two people at least, for answers by two")
        return ""

    def _offer_people(self, ticked: Sequence[int]) -> None:
        rows = [(row, person.name, person.orcid) for row, person in enumerate(self._people)]
        self.people.show_rows(rows, ticked)
        self._allow()

    @Slot()
    def _on_name(self) -> None:
        name = " ".join(self.name.text().split())
        if name and name not in {person.name for person in self._people}:
            self._people.append(Judge(name))
            self._offer_people([*self.people.ticked(), len(self._people) - 1])
        self.name.clear()

    @Slot()
    def _allow(self) -> None:
        ready = tr("Deals out what nobody has judged, in place of these parts")
        allow_start(self.start, self.hint, self.missing, ready)

    @Slot()
    def _on_start(self) -> None:
        people = [self._people[row] for row in self.people.ticked()]
        twice = self.twice.value() / _WHOLE
        work = partial(_enter_and_split, self._workspace, self._list_id, people, twice)
        self._splitting.ask(work)

    @Slot(object)
    def _on_split(self, _searches: "list[KeptSearch]") -> None:
        self.split.emit()
        self._read()

    def _read(self) -> None:
        self._reading.ask(partial(read_parts, self._workspace, self._list_id))

    @Slot(object)
    def _show_parts(self, parts: ListParts | None) -> None:
        self._parts = parts.parts if parts else ()
        self.title.setText(name_list(parts.suggestion_list.head) if parts else "")
        titles = (tr("Person"), tr("Suggestions"), tr("Answered"), tr("Blind"))
        self._model.show_rows(titles, [_list_cells(part) for part in self._parts], {1, 2})
        self.table.resizeColumnsToContents()
        if self._parts:
            self.table.selectRow(0)
        self.open.setEnabled(bool(self._parts))
        self.open.setToolTip("" if self._parts else tr("Deal the list out first"))
        counts = parts.outcomes.counts if parts else {}
        self.differing.setText(tr("Decide where they differ ({n:,})", n=counts.get(DIFFER, 0)))
        self.differing.setEnabled(bool(counts.get(DIFFER)))
        self.differing.setToolTip(
            "" if counts.get(DIFFER) else tr("There is nothing that two people answered otherwise")
        )
        self.agreement.setText(
            "; ".join(
                f"{number(n)} {translated(OUTCOME_WORDS[state])}" for state, n in counts.items()
            )
        )
        if parts and any(len(o.opinions) > 1 for o in parts.outcomes.by_subject.values()):
            self._measuring.ask(partial(measure_parts, self._workspace, self._list_id))

    @Slot(object)
    def _show_agreement(self, report: "AgreementReport | None") -> None:
        if report is None:
            return
        couples = [
            f"{' – '.join(pair.raters)}: {translated(METRICS[figure.metric])} {told_figure(figure)}"
            for pair in report.overall.pairs
            for figure in pair.figures
            if figure.metric in _FIGURES
        ]
        self.agreement.setText("\n".join([self.agreement.text(), *couples]))

    @Slot()
    @Slot(QModelIndex)
    def _on_open(self, _index: QModelIndex | None = None) -> None:
        row = self.table.currentIndex().row()
        if 0 <= row < len(self._parts):
            self.list_wanted.emit(self._parts[row].list_id)

    @Slot()
    def _on_differing(self) -> None:
        self.differing_wanted.emit(self._list_id)


def _list_cells(part: ListPart) -> list[str]:
    blind = tr("yes") if part.blind else tr("no")
    return [part.person.name, number(part.count), number(part.answered), blind]


def _enter_and_split(
    workspace: Workspace, list_id: int, people: Sequence[Judge], twice: float
) -> "list[KeptSearch]":
    entered = [add_person(workspace, person.name, person.orcid) for person in people]
    return split_list(workspace, list_id, entered, twice)
