"""Among which names is ranked: ontologies, a subtree, a level, unseen in training."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QMenu, QWidget
from PySide6.QtWidgets import QPushButton as Button

from termexplorer.models.concept_tree import tree_text
from termexplorer.plain_text import plain_tip
from termexplorer.services.compare.rankings import RankingScope, Task
from termexplorer.services.explore.browsing import ConceptPage, ConceptRef
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.texts import tr, trn
from termexplorer.views.widgets.forms import TwoHalves
from termexplorer.views.widgets.inputs import ChoiceBox
from termexplorer.views.widgets.level_boxes import DEEPEST, LevelBoxes
from termexplorer.views.widgets.plain_label import PlainLabel, plain_action

_WIDEST = 160
_AROUND = 44  # what a button has beside its text
_LABEL = Qt.ItemDataRole.UserRole + 1


class AmongRow(TwoHalves):
    """A row of filters; `place`, the level of hypernyms, stands elsewhere.

    Signals:
        changed: something else is to be ranked.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._task = Task.NEIGHBOURS
        self._current: int | None = None
        self._by_user = False  # whether the user chose the level of hypernyms
        self.level_known = False  # whether anything but the usual level of no ontology is chosen
        self.level_choice = LevelBoxes()
        self.ontologies = Button(tr("This ontology"))
        self.ontologies.setAccessibleName(tr("Ontologies"))
        self.ontologies.setMaximumWidth(_WIDEST)
        self.ontologies.setProperty("menu", True)
        self._menu = QMenu(self.ontologies)
        self.ontologies.setMenu(self._menu)
        self.subtree = ChoiceBox()
        self.subtree.setAccessibleName(tr("Below which concept"))
        self.subtree.setMinimumContentsLength(5)
        self.subtree.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.subtree.addItem(tr("Anywhere"), None)
        self.level = ChoiceBox()
        self.level.setAccessibleName(tr("Level of neighbours"))
        self.level.setToolTip(tr("Names of the concepts on this level, counted from all roots"))
        self.unseen = QCheckBox(tr("Unseen in training"))
        self.unseen.setToolTip(tr("Leaves out names that a chosen encoder was trained on"))
        self.show_levels(0)
        self._lay_out()
        self.use_task(Task.NEIGHBOURS)  # when all are in here: shown alone they would be windows
        self.subtree.activated.connect(self._on_other)
        self.level.activated.connect(self._on_other)
        self.level_choice.chosen.connect(self._on_place)
        self.unseen.toggled.connect(self._on_other)

    def use_task(self, task: Task) -> None:
        """Shows the filters of a task; hypernyms have a level of their own."""
        self._task = task
        self.level.setVisible(task is Task.NEIGHBOURS)
        self.level_choice.setVisible(task is Task.HYPERNYMS)

    def show_levels(self, levels: int) -> None:
        """Offers as many levels as there are; 0: that is not known."""
        self.level_choice.show_levels(levels)
        chosen = self.level.currentData() or 0
        self.level.clear()
        self.level.addItem(tr("Any level"), 0)
        for level in range(1, max(levels or DEEPEST, chosen) + 1):
            self.level.addItem(tr("Level {level}", level=level), level)
        self.level.setCurrentIndex(chosen)

    def suggest_level(self, level: int) -> None:
        """Takes a level for hypernyms, unless the user chose one."""
        if self._by_user:
            return
        self.level_known = True
        if level != self.level_choice.chosen_level:
            self.level_choice.use(level, self.level_choice.chosen_root)
            self.changed.emit()

    def choose_level(self, level: int, root: ConceptRef | None) -> None:
        """Takes a level for hypernyms, counted below a concept or from all roots."""
        self._by_user = self.level_known = True
        if (level, root) != (self.level_choice.chosen_level, self.level_choice.chosen_root):
            self.level_choice.use(level, root)
            self.changed.emit()

    def forget_level(self) -> None:
        """Another ontology is on show: its levels are other ones."""
        self._by_user = self.level_known = False
        self.level_choice.show_warning("")
        self.level_choice.use(1, None)

    def show_ontologies(self, ontologies: Sequence[Ontology], current: int | None) -> None:
        """Offers ontologies; the current one is chosen until others are."""
        chosen = set(self._chosen_ontologies())
        if self._current in chosen and current is not None:
            chosen = (chosen - {self._current}) | {current}
        self._current = current
        self._menu.clear()
        for ontology in ontologies:
            action = plain_action(ontology.label, self._menu, checkable=True)
            action.setData(ontology.id)
            action.setChecked(ontology.id in chosen or (not chosen and ontology.id == current))
            action.toggled.connect(self._on_ontologies)
            self._menu.addAction(action)
        self._label_ontologies()

    def show_subtrees(self, page: ConceptPage | None) -> None:
        """Offers the concept on show and what lies above it; what is chosen stays."""
        self.level_choice.show_page(page)
        chosen, text = self.subtree.currentData(), self.subtree.currentData(_LABEL)
        offered: dict[int, str] = {}
        if page is not None and not page.concept.obsolete:
            above = page.paths[0] if page.paths else ()
            offered = {ref.id: tree_text(ref.code, ref.label) for ref in above}
            offered[page.concept.id] = tree_text(page.concept.code, page.concept.label)
        if chosen is not None and chosen not in offered:
            offered[chosen] = text
        self.subtree.clear()
        self.subtree.addItem(tr("Anywhere"), None)
        for concept_id, label in offered.items():
            self.subtree.addItem(tr("Below {concept}", concept=label), concept_id)
            self.subtree.setItemData(self.subtree.count() - 1, label, _LABEL)
        self.subtree.setCurrentIndex(max(self.subtree.findData(chosen), 0))
        self.subtree.setToolTip(self.subtree.currentText())

    def forget_subtree(self) -> None:
        """Ranks anywhere again."""
        self.subtree.setCurrentIndex(0)

    def among(self) -> RankingScope:
        """What is chosen."""
        hypernyms = self._task is Task.HYPERNYMS
        root = self.level_choice.chosen_root if hypernyms else None
        return RankingScope(
            ontology_ids=tuple(self._chosen_ontologies()),
            root_id=root.id if root else None,
            level=self.level_choice.chosen_level if hypernyms else self.level.currentData() or None,
            subtree_id=self.subtree.currentData(),
            unseen=self.unseen.isChecked(),
        )

    def _lay_out(self) -> None:
        label = PlainLabel(tr("Candidates from"))
        label.setProperty("quiet", True)
        self.first.addWidget(label)
        self.first.addWidget(self.ontologies)
        self.first.addWidget(self.subtree, 1)
        self.second.addWidget(self.level)
        self.second.addWidget(self.unseen)
        self.second.addStretch()

    def _chosen_ontologies(self) -> list[int]:
        chosen = [action.data() for action in self._menu.actions() if action.isChecked()]
        return chosen or ([self._current] if self._current else [])

    def _label_ontologies(self) -> None:
        names = [action.text() for action in self._menu.actions() if action.isChecked()]
        several = trn("{n} ontology", "{n} ontologies", len(names))
        text = names[0] if len(names) == 1 else several
        room, elide = _WIDEST - _AROUND, Qt.TextElideMode.ElideMiddle
        self.ontologies.setText(self.ontologies.fontMetrics().elidedText(text, elide, room))
        self.ontologies.setToolTip(
            plain_tip(tr("Names of: {ontologies}", ontologies=", ".join(names)))
        )

    @Slot()
    def _on_ontologies(self) -> None:
        self._label_ontologies()
        self.changed.emit()

    @Slot()
    def _on_place(self) -> None:
        self._by_user = self.level_known = True
        self.changed.emit()

    @Slot()
    def _on_other(self) -> None:
        self.subtree.setToolTip(self.subtree.currentText())
        self.changed.emit()
