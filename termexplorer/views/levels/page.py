"""The Levels page: what each level would train on, before anything is trained."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.explore.ontologies import Ontology, find_concept, list_ontologies
from termexplorer.services.files.exports import Cell
from termexplorer.services.levels.lens import LevelChoice, LevelSummary
from termexplorer.texts import mark, tr, translated
from termexplorer.views.explore.ranking_export import ask_and_write
from termexplorer.views.levels.chosen import LENS, TRAIN, keep_choice, kept_choice
from termexplorer.views.levels.content import LevelContent
from termexplorer.views.levels.look import ShownLevel, count, look, moved
from termexplorer.views.levels.message import LevelMessage
from termexplorer.views.levels.side import LevelSide
from termexplorer.views.widgets.export_button import ALL
from termexplorer.views.widgets.focus import mark_parts
from termexplorer.views.widgets.splitter import KeptSplitter
from termexplorer.views.window.level_place import LevelPlace, choose_level, kept_level
from termexplorer.views.window.page import PageWidget, Shared

_KEY = "levels/splitter"
_WIDTHS = (300, 1060)
_USUAL = mark("Reset root and rules")
_NO_DEPTH = mark("The rules of few-shot, which need no depth")


class LevelsPage(PageWidget):
    """Slides over the levels of an ontology."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._ontology: Ontology | None = None
        self._choice = LevelChoice()
        self._chosen = False  # whether the level was chosen, or is the one to begin with
        self._look: ShownLevel | None = None
        self._counts: dict[int, tuple[int, int]] = {}
        self._entering = False  # the page was opened, and its slider is not there yet
        self._asked = True  # whether the answer to what is chosen was asked for
        self._questions = LatestQueryWorker(self)
        self._questions.answered.connect(self._on_look)
        self._questions.failed.connect(self._on_failed)
        self._counting = LatestQueryWorker(self)
        self._counting.answered.connect(self._on_counted)
        self.side = LevelSide(shared)
        self.content = LevelContent(shared.theme, shared.session)
        self.message = LevelMessage()
        self.splitter = KeptSplitter(shared.session, _KEY, Qt.Orientation.Horizontal)
        self._lay_out()
        self._connect()
        self._on_ontology(shared.selection.ontology_id)

    @property
    def choice(self) -> LevelChoice:
        """What is chosen."""
        return self._choice

    @property
    def summary(self) -> LevelSummary | None:
        """The figures on show."""
        return self._look.summary if self._look else None

    def close_page(self) -> None:
        """Keeps the choice and ends the threads."""
        self.splitter.keep()
        self._keep(LENS)
        self._questions.close()
        self._counting.close()
        self.side.close_side()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Looks at the level that was chosen while the page was hidden."""
        self._entering = self._look is None
        super().showEvent(event)
        if not self._asked:
            self._ask()

    def entrance(self) -> QWidget:
        """The slider, or what can be done instead."""
        if self._stack.currentWidget() is self.content:
            return self.content.slider.slider
        return self.message.reset if self.message.reset.isVisible() else self.message.explore

    def _lay_out(self) -> None:
        self._stack = QStackedWidget()
        for widget in (self.message, self.content):
            self._stack.addWidget(widget)
        self.splitter.fill(_WIDTHS, self.side, self._stack)
        self.splitter.setStretchFactor(1, 1)
        mark_parts(self.side, self.content, self.message)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.splitter)

    def _connect(self) -> None:
        selection = self._shared.selection
        selection.ontology_changed.connect(self._on_ontology)
        selection.concept_changed.connect(self.content.mark)
        selection.level_changed.connect(self._on_level_elsewhere)
        self.side.rules.changed.connect(self._on_rules)
        self.side.root.changed.connect(self._on_root)
        self.content.slider.moved.connect(self._on_level)
        self.content.classes.ticked.connect(self._on_ticked)
        self.content.class_chosen.connect(selection.go_to_concept)
        self.content.train.clicked.connect(self._on_train)
        self.content.export.wanted.connect(self._on_export)
        self.message.explore.clicked.connect(self._on_explore)
        self.message.reset.clicked.connect(self._on_reset)

    @Slot(object)
    def _on_ontology(self, ontology_id: int | None) -> None:
        ontology_by_id = {
            ontology.id: ontology for ontology in list_ontologies(self._shared.workspace)
        }
        self._ontology = ontology_by_id.get(ontology_id) if ontology_id is not None else None
        last_choice = kept_choice(self._shared.session, LENS, ontology_id)
        stored_choice = last_choice or LevelChoice()
        level_place = kept_level(self._shared.session, ontology_id)
        self._chosen = last_choice is not None or level_place is not None
        self._look = None
        self._forget_counts()
        self._take(moved(stored_choice, level_place) if level_place else stored_choice)
        self.side.rules.show_choice(self._choice)
        self.side.root.show_root(self._root_text())
        self._start()

    def _start(self) -> None:
        ontology = self._ontology
        self.side.setVisible(ontology is not None and ontology.is_a > 0)
        self._asked = True
        self._questions.forget()
        self._stack.setCurrentWidget(self.message)
        if ontology is None:
            self.message.show_empty()
        elif not ontology.is_a:
            self.message.show_no_hierarchy(ontology.label)
        else:
            self.message.show_reading(ontology.label)
            self._asked = False
            if self.isVisible():
                self._ask()

    def _root_text(self) -> str:
        if not self._choice.root or self._ontology is None:
            return ""
        root_concept = find_concept(self._shared.workspace, self._ontology, self._choice.root)
        return f"{root_concept.code} {root_concept.label}".strip()

    def _take(self, choice: LevelChoice) -> None:
        """Chooses; counts of the levels hold as long as only the level changes."""
        if choice.on(1) != self._choice.on(1):
            self._forget_counts()
        self._choice = choice

    def _forget_counts(self) -> None:
        self._counts = {}
        self._counting.forget()

    def _ask(self) -> None:
        if self._ontology is None or not self._ontology.is_a:
            return
        self._asked = True
        request = (self._shared.workspace, self._ontology.id, self._choice)
        self._questions.ask(partial(look, *request, chosen=self._chosen))

    @Slot(object)
    def _on_look(self, answer: ShownLevel) -> None:
        self._look = answer
        self._chosen = True
        self._take(answer.choice)
        self._counts[answer.choice.level] = (answer.summary.classes, answer.summary.names)
        self.content.show_level(answer, self._counts)
        self.content.mark(self._shared.selection.concept_id)
        self.side.show_removed(answer.lens.removed)
        self._show(self.content)
        self._count_next()

    def _count_next(self) -> None:
        missing = [n for n in self.content.slider.counted() if n not in self._counts]
        if self._look and missing:
            nearest = min(missing, key=lambda n: abs(n - self._choice.level))
            self._counting.ask(partial(count, self._look.lens, self._choice.on(nearest)))

    @Slot(object)
    def _on_counted(self, answer: tuple[LevelChoice, int, int]) -> None:
        choice, classes, names = answer
        if choice.on(1) == self._choice.on(1):
            self._counts[choice.level] = (classes, names)
            self.content.slider.show_counts(self._counts)
            self._count_next()

    @Slot(str)
    def _on_failed(self, why: str) -> None:
        self._look = None
        usual = self._choice.on(1) == LevelChoice()
        self.message.show_failure(why, translated(_NO_DEPTH if usual else _USUAL))
        self._show(self.message)

    def _show(self, part: QWidget) -> None:
        self._stack.setCurrentWidget(part)
        if self._entering:
            self._entering = False
            self.entrance().setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(int)
    def _on_level(self, level: int) -> None:
        self._take(self._choice.on(level))
        self._ask()
        self._tell_level()

    @Slot()
    def _on_rules(self) -> None:
        self._take(self.side.rules.apply(self._choice))
        self._ask()

    @Slot(str)
    def _on_root(self, curie: str) -> None:
        self._take(replace(self._choice, root=curie, left_out=()))
        self._ask()
        self._tell_level()

    def _tell_level(self) -> None:
        level_place = LevelPlace(self._choice.level, self._choice.root)
        choose_level(self._shared.session, self._shared.selection, level_place)

    @Slot(object)
    def _on_level_elsewhere(self, level_place: LevelPlace) -> None:
        choice = moved(self._choice, level_place)
        self._chosen = True
        if choice == self._choice:
            return
        self._take(choice)
        self.side.root.show_root(self._root_text())
        if self.isVisible():
            self._ask()
        else:
            self._asked = False

    @Slot(str, bool)
    def _on_ticked(self, curie: str, trained: bool) -> None:
        left_out = tuple(
            curie_left_out for curie_left_out in self._choice.left_out if curie_left_out != curie
        )
        self._take(replace(self._choice, left_out=left_out if trained else (*left_out, curie)))
        self._ask()

    @Slot()
    def _on_reset(self) -> None:
        usual = self._choice.on(1) == LevelChoice()
        self._take(LevelChoice.for_recipe("few-shot") if usual else LevelChoice())
        self.side.rules.show_choice(self._choice)
        self.side.root.show_root("")
        self._ask()

    @Slot()
    def _on_explore(self) -> None:
        self._shared.errands.show_page.emit("explore")

    @Slot()
    def _on_train(self) -> None:
        self._keep(TRAIN)
        self._shared.errands.show_page.emit("train")

    def _keep(self, key: str) -> None:
        if self._ontology is not None:
            keep_choice(self._shared.session, key, self._ontology.id, self._choice)

    @Slot(str)
    def _on_export(self, part: str) -> None:
        classes = self.content.classes
        rows: list[list[Cell]] = []
        for row in classes.rows(everything=part == ALL):
            share = None if row.left_out else classes.share(row)
            names = None if row.left_out else row.names
            rows.append([row.code, row.curie, row.label, names, share, row.left_out])
        file_header = ["code", "concept", "class", "names", "share", "left out"]
        name = tr("level-{level}-classes", level=self._choice.level)
        ask_and_write(self, self._shared.notices, name, file_header, rows)
