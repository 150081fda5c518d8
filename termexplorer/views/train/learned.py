"""What a recipe learns: the classes of a level, synonym sets, or verdicts."""

from collections.abc import Sequence
from dataclasses import asdict, replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.recipes.run_requests import EVERY_CONCEPT, RunRequest, SynonymChoice
from termexplorer.texts import mark, tr, translated
from termexplorer.views.train.further_ontologies import FurtherOntologies
from termexplorer.views.train.judged import TrainJudged
from termexplorer.views.train.last_request import KeptForm
from termexplorer.views.train.level import TrainLevel
from termexplorer.views.train.recipe import RecipeBox
from termexplorer.views.train.synonyms import TrainSynonyms
from termexplorer.views.widgets.forms import heading, plain_column, quiet
from termexplorer.views.window.page import Shared

_FURTHER = mark(
    "Learn from further ontologies too; synonym sets that share a name are merged, and "
    "figures are of the current ontology only."
)
_NO_LEVEL = mark(
    "No level is chosen: it learns from the synonyms of each concept, or of those that share a "
    "code. A tenth of the sets is kept for zero-shot, and one name each of the others for test and "
    "for validation."
)
_NO_LABELS = mark(
    "It learns from names alone, whatever their concepts are; these say which names are held out, "
    "and what is right in the figures."
)


class TrainLearned(QWidget):
    """Asks what to learn, as far as the chosen recipe needs it.

    Signals:
        changed: there may be something to learn now, or nothing any more.
    """

    changed = Signal()

    def __init__(
        self, shared: Shared, recipe: RecipeBox, form: KeptForm, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._shared = shared
        self._recipe = recipe
        self._kept_form = form
        self._kept_also = form.also
        self._ontology, self._has_levels = "", False
        self._where = heading(tr("Level"))
        self.level = TrainLevel(shared)
        self.no_level = quiet(translated(_NO_LEVEL))
        self.synonyms = TrainSynonyms(shared)
        self.judged = TrainJudged(shared)
        self.further = FurtherOntologies(tr("Further ontologies to learn from"))
        self.about_further = quiet(translated(_FURTHER))
        synonyms = {name: form.synonyms.get(name, "") for name in ("root", "groups")}
        self.synonyms.keep(form.ontology, SynonymChoice(**synonyms))
        self.judged.prefer(form.study)
        column = plain_column(self)
        parts: tuple[QWidget, ...] = (self._where, self.level, self.no_level, self.synonyms)
        for widget in (*parts, self.judged, self.about_further, self.further):
            column.addWidget(widget)
        self.judged.changed.connect(self.changed)

    def close_choices(self) -> None:
        """Keeps what is chosen for the next start, and ends the threads that count."""
        self.level.close_level()
        self.synonyms.close_choice()
        self.judged.close_choice()

    def show_ontology(self, label: str, has_levels: bool) -> None:
        """Says what is learned from."""
        self._ontology, self._has_levels = label, has_levels
        ontology_id = self._shared.selection.ontology_id
        if ontology_id not in (None, self._kept_form.ontology):
            self._kept_also = ()  # they were of another one
        self.synonyms.show_ontology(ontology_id, has_levels=has_levels)
        self._show_place()
        self.changed.emit()

    def show_further(self, ontologies: Sequence[Ontology]) -> None:
        """Offers other ontologies to learn from besides."""
        self.further.show_ontologies(ontologies)
        if ontologies and self._kept_also:
            self.further.tick(self._kept_also)
            self._kept_also = ()
        self._show_place()

    def use_recipe(self) -> None:
        """Shows what the chosen recipe needs."""
        self.level.setVisible(self._recipe.needs_level)
        self.no_level.setVisible(self._recipe.needs_synonyms)
        labelled = self._recipe.listed.labelled
        self.no_level.setText(translated(_NO_LEVEL if labelled else _NO_LABELS))
        self.synonyms.setVisible(self._recipe.needs_synonyms)
        self.judged.setVisible(self._recipe.needs_verdicts)
        if self._recipe.needs_level:
            self.level.use_recipe(self._recipe.currentData())
        self._show_place()

    def asked(self, request: RunRequest) -> RunRequest:
        """A request with what it says of this.

        Raises:
            UserError: a value is wrong.
        """
        by_level, by_synonyms = self._recipe.needs_level, self._recipe.needs_synonyms
        return replace(
            request,
            choice=self.level.choice() if by_level else None,
            also=self.further.ticked() if by_synonyms else (),
            synonyms=self.synonyms.choice() if by_synonyms else EVERY_CONCEPT,
            class_lists=self.level.lists.classes() if by_level else (),
            judged=self.judged.choice() if self._recipe.needs_verdicts else None,
        )

    def to_keep(self, form: KeptForm) -> KeptForm:
        """What is kept of the form, with what it says of this."""
        return replace(
            form,
            ontology=self._shared.selection.ontology_id,
            synonyms=asdict(self.synonyms.to_keep()),
            also=self.further.ticked() or self._kept_also,
            study=self.judged.study.currentData() or self._kept_form.study,
        )

    @property
    def why_no_ontology(self) -> str:
        """Why there is no ontology to learn from, in words; empty if there is one."""
        if not self._ontology:
            if self._shared.selection.ontology_id is not None:
                return tr("The ontology is being read")
            return tr("Import an ontology first: menu File, Import")
        if self._recipe.needs_level and not self._has_levels:
            return tr(
                "{ontology} has no is-a links, so no levels; choose a recipe of synonyms",
                ontology=self._ontology,
            )
        return ""

    @property
    def why_no_verdicts(self) -> str:
        """Why there are no verdicts to learn from, in words; empty if there are, or none needed."""
        return self.judged.why_not if self._recipe.needs_verdicts else ""

    def _show_place(self) -> None:
        self._where.setText(self._place_text())
        for widget in (self.about_further, self.further):
            widget.setVisible(self._recipe.needs_synonyms and self.further.count() > 0)

    def _place_text(self) -> str:
        if self._recipe.needs_verdicts:
            return tr("Verdicts")
        if self._recipe.needs_level:
            whole, of = tr("Level"), mark("Level of {ontology}")
        else:
            whole, of = tr("Synonym sets"), mark("Synonym sets of {ontology}")
        return translated(of, ontology=self._ontology) if self._ontology else whole
