"""The level that is trained: as chosen on the page Levels, or by root and level; and lists."""

from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import (
    QLineEdit,
    QPushButton,
    QWidget,
)

from termexplorer.errors import UserError
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.explore.ontologies import find_concept, find_ontology
from termexplorer.services.levels.default_level import (
    trainable_level,
    warn_of_choice,
    why_not_trainable,
)
from termexplorer.services.levels.lens import LevelChoice, level_lens, why_no_level, why_no_levels
from termexplorer.texts import tr
from termexplorer.views.levels.chosen import TRAIN, edited_choice, keep_edited, kept_choice
from termexplorer.views.levels.words import choice_text
from termexplorer.views.train.class_lists import ClassLists
from termexplorer.views.widgets.forms import beside, fields, plain_column
from termexplorer.views.widgets.number_box import number_box
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.level_place import kept_level
from termexplorer.views.window.page import Shared
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class _LevelCounts:
    """What is known of the level that is chosen.

    Attributes:
        levels: how many there are; None while that is not known.
        level: the one to begin with; None where it was not asked for.
        lack: why there is no such level; empty where there is, or while that is not known.
        warning: what is wrong with it; empty where nothing is.
        one_class: whether it has one class alone.
    """

    levels: int | None = None
    level: int | None = None
    lack: str = ""
    warning: str = ""
    one_class: bool = False


_NOTHING_COUNTED = _LevelCounts()


class TrainLevel(QWidget):
    """Shows and changes a `LevelChoice`.

    Signals:
        levels_wanted: the user wants to choose on the page Levels.
        summarised: something else is said of the level.
    """

    levels_wanted = Signal()
    summarised = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._recipe = "few-shot"
        self._taken: LevelChoice | None = None  # from the page Levels
        self._restored = False
        self._choice = LevelChoice.for_recipe(self._recipe)
        self._counts = _NOTHING_COUNTED
        self._open = True  # whether the level is still the one to begin with
        self._counted: tuple[int | None, LevelChoice, bool] | None = None
        self._counting = LatestQueryWorker(self)
        self.root = QLineEdit(placeholderText=tr("all roots"))
        self.root.setAccessibleName(tr("Root"))
        self.root.setToolTip(tr("Id or code of the concept below which levels are counted"))
        self.level = number_box(1, 9999, 1, tr("Of the classes, 1 the highest"))
        self.level.setAccessibleName(tr("Level"))
        self.summary = PlainLabel(wordWrap=True)
        self.summary.setProperty("quiet", True)
        self.choose = QPushButton(tr("Choose on Levels"))
        self.choose.setToolTip(tr("See the classes and their sizes first"))
        self.usual = QPushButton(tr("Rules of the paper"))
        self.lists = ClassLists(shared)
        self._lay_out()
        self.choose.clicked.connect(self.levels_wanted)
        self.usual.clicked.connect(self._on_usual)
        self.root.textEdited.connect(self._on_edited)
        self.level.valueChanged.connect(self._on_edited)
        self._counting.answered.connect(self._on_counted)
        self._show()

    def close_level(self) -> None:
        """Keeps what is chosen for the next start, and ends the thread that counts levels."""
        ontology_id = self._shared.selection.ontology_id
        if self._restored and ontology_id is not None:
            keep_edited(self._shared.session, ontology_id, self._taken, self._choice)
        self._counting.close()

    def use_recipe(self, recipe: str) -> None:
        """Takes the recipe's own rules, unless a choice came from the page Levels."""
        self._recipe = recipe
        self.lists.use_recipe(recipe)
        if self._taken is None:
            start = {"root": self._choice.root, "level": self._choice.level}
            self._choice = LevelChoice.for_recipe(recipe, **start)
        self._show()

    def take_kept(self, ontology_id: int | None) -> None:
        """Takes what was chosen on the page Levels for this ontology, if it is new."""
        stored = kept_choice(self._shared.session, TRAIN, ontology_id)
        if stored is not None and stored != self._taken:
            self._taken = self._choice = stored
            self._open = False
            self._show()
        if not self._restored and ontology_id is not None:
            self._restored = True
            edited = edited_choice(self._shared.session, ontology_id, self._taken)
            self._open = self._open and edited is None
            self._choice = edited or self._choice
            self._show()
        level_place = kept_level(self._shared.session, ontology_id)
        if self._open and level_place is not None:
            self._open = False
            self._choice = replace(self._choice, level=level_place.level, root=level_place.root)
            self._show()

    def forget(self) -> None:
        """Another ontology is on show: its root and classes are other ones."""
        self._taken = None
        self._open = True
        self._choice = LevelChoice.for_recipe(self._recipe)
        self._show()

    def choice(self) -> LevelChoice:
        """What is chosen.

        Raises:
            UserError: the root is not in the ontology, or there is no such level.
        """
        if why := self._why_not():
            raise UserError(why)
        text = self.root.text().strip()
        if not text:
            return self._with_level(replace(self._choice, root=""))
        workspace = self._shared.workspace
        ontology = find_ontology(workspace, str(self._shared.selection.ontology_id))
        root_concept = find_concept(workspace, ontology, text)
        if root_concept.obsolete:
            raise UserError(tr("{text} is obsolete; choose a live concept as root", text=text))
        return self._with_level(replace(self._choice, root=root_concept.curie))

    def _with_level(self, choice: LevelChoice) -> LevelChoice:
        """Return the same on the level to begin with, if no other is chosen."""
        ontology_id = self._shared.selection.ontology_id
        if not self._open or ontology_id is None:
            return choice
        return choice.on(trainable_level(self._shared.workspace, ontology_id, choice))

    def _lay_out(self) -> None:
        column = plain_column(self)
        column.addLayout(fields((tr("Root"), self.root), (tr("Level"), self.level)))
        column.addWidget(self.summary)
        column.addLayout(beside(self.choose, self.usual))
        column.addWidget(self.lists)

    def _show(self) -> None:
        with QSignalBlocker(self.level):
            self.level.setValue(self._choice.level)
        if self.root.text().strip() != self._choice.root:
            self.root.setText(self._choice.root)
        self._tell()

    def _tell(self) -> None:
        self._count()
        summary_text = choice_text(self._choice)
        if self._taken is not None:
            summary_text = tr("As on Levels: {choice}", choice=summary_text)
        lines = filter(None, (summary_text, self._warning))
        self.summary.setText(self._why_not() or "\n".join(lines))
        self.summarised.emit()
        usual = LevelChoice.for_recipe(
            self._recipe, root=self._choice.root, level=self._choice.level
        )
        self.usual.setEnabled(self._choice != usual)
        self.usual.setToolTip(
            tr("These are already the rules of {recipe}", recipe=self._recipe)
            if self._choice == usual
            else tr("As published for {recipe}", recipe=self._recipe)
        )

    def _why_not(self) -> str:
        """Why the level cannot be trained, in words; empty if it can, as far as is known."""
        counts = self._counts
        if counts.one_class and not self.lists.has_ticked:
            return counts.warning
        if counts.lack or counts.levels is None:
            return counts.lack
        return why_no_level(self._choice.level, counts.levels)

    @property
    def _warning(self) -> str:
        return self._counts.warning

    def _count(self) -> None:
        """Has the classes counted, where they are others than those counted last."""
        ontology_id = self._shared.selection.ontology_id
        asked = ontology_id, self._choice, self._open
        if asked == self._counted:
            return
        before = self._counted[:2] if self._counted else None
        alike = before == (ontology_id, self._choice.on(before[1].level)) if before else False
        self._counts = _LevelCounts(self._counts.levels if alike else None)
        self._counted = asked
        self._counting.forget()
        if ontology_id is not None:
            self._counting.ask(
                partial(_count_classes, self._shared.workspace, ontology_id, *asked[1:])
            )

    @Slot(object)
    def _on_counted(self, counted: "_LevelCounts") -> None:
        if counted.level is not None and self._open:
            self._choice = replace(self._choice, level=counted.level)
        self._counted = self._shared.selection.ontology_id, self._choice, self._open
        self._counts = counted
        self._show()

    @Slot()
    def _on_edited(self) -> None:
        root, level = self.root.text().strip(), self.level.value()
        self._open = self._open and level == self._choice.level
        self._choice = replace(self._choice, root=root, level=level)
        self._tell()

    @Slot()
    def _on_usual(self) -> None:
        self._taken = None
        self.use_recipe(self._recipe)


def _count_classes(
    workspace: Workspace, ontology_id: int, choice: LevelChoice, wanted: bool
) -> _LevelCounts:
    """Count the classes of a level, or of the one to begin with if that is wanted."""
    lens = level_lens(workspace, ontology_id, choice)
    if lack := why_no_levels(lens, choice):
        return _LevelCounts(0, lack=lack)
    level = trainable_level(workspace, ontology_id, choice) if wanted else None
    choice = choice.on(level or choice.level)
    if why_no_level(choice.level, lens.levels):
        return _LevelCounts(lens.levels, level)
    warning = warn_of_choice(workspace, ontology_id, choice)
    one_class = bool(why_not_trainable(workspace, ontology_id, choice))
    return _LevelCounts(lens.levels, level, "", warning, one_class)
