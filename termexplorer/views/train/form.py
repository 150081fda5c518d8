"""The left of the Train page: all that a run is asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.recipes.presets import PRESETS, RECIPES
from termexplorer.services.recipes.run_requests import RunRequest
from termexplorer.services.train.expected_time import suited_recipe
from termexplorer.services.train.recommended import Recommended
from termexplorer.texts import mark, tr, translated
from termexplorer.views.train.base_vectors import VectorsBeneath
from termexplorer.views.train.held_out import TrainHeldOut
from termexplorer.views.train.hidden_search_choice import HiddenSearchChoice
from termexplorer.views.train.hyperparameters import HyperParameters
from termexplorer.views.train.last_request import KeptForm, keep_form, kept_form
from termexplorer.views.train.learned import TrainLearned
from termexplorer.views.train.recipe import RecipeBox
from termexplorer.views.train.recommended_form import RecommendedForm
from termexplorer.views.train.three_lines import ThreeLines
from termexplorer.views.widgets.forms import (
    choice,
    fields,
    finish_form,
    form_column,
    heading,
    offer,
    plain_column,
    quiet,
    reveal,
)
from termexplorer.views.widgets.keys import shown_keys
from termexplorer.views.widgets.number_box import number_box
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared

_QUICK = "quick"
_PRESETS = {
    _QUICK: mark("Quick · right for two cores"),
    "paper": mark("Paper · as published, or large"),
}


class TrainForm(QWidget):
    """Asks what to train.

    Signals:
        wanted: a `RunRequest`.
        search_wanted: a `RunRequest` but for its hidden units, and how many there are at most.
        recommended_wanted: a `Recommended`.
    """

    wanted = Signal(object)
    recommended_wanted = Signal(object)
    search_wanted = Signal(object, int)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._kept_form = kept_form(shared.session)
        self.beneath = VectorsBeneath(shared, self._kept_form.vectors)
        self.recommended = RecommendedForm(shared)
        self.three_lines = ThreeLines()
        self.recipe = RecipeBox()
        self.when = quiet()
        self.preset = choice(tr("Preset"))
        self.learned = TrainLearned(shared, self.recipe, self._kept_form)
        self.held_out = TrainHeldOut()
        self.hyperparameters = HyperParameters()
        self.search = HiddenSearchChoice(self.hyperparameters)
        self.seed = number_box(
            0, 2_000_000_000, 0, tr("Random seed; the same seed gives the same figures")
        )
        self.device = choice(tr("Device"))
        self.error = PlainLabel(wordWrap=True)
        self.train = QPushButton(tr("Train"))
        self.everything = QPushButton(tr("Choose everything"))
        self.everything.setCheckable(True)
        self.folded = QWidget()
        self._usual_recipe = "" if self._kept_form.recipe else self.recipe.currentData()
        self._fill()
        self._lay_out()
        self._connect()
        self._on_recipe()
        self.hyperparameters.use_changes(self._kept_form.values)
        self.search.use(self._kept_form.largest)
        self.show_encoders([])

    def show_encoders(self, encoders: Sequence[EncoderInfo]) -> None:
        """Offers vectors: untrained ones, and trained ones to learn on from."""
        self.beneath.form.show_encoders(encoders)
        usable = [encoder for encoder in encoders if encoder.has_vectors]
        self.recommended.show_encoders(usable)
        self.beneath.show_encoders(usable)
        self._allow()

    def show_devices(self, devices: Sequence[tuple[str, str]]) -> None:
        """Offers devices: (id, description)."""
        offer(self.device, [(text, device) for device, text in devices], None)
        index = self.device.findData(self._kept_form.device)
        if index >= 0:
            self.device.setCurrentIndex(index)

    def keep(self) -> None:
        """Keeps what is chosen for the next start."""
        form = KeptForm(
            recipe=self.recipe.currentData(),
            preset=self.preset.currentData(),
            vectors=self.beneath.to_keep,
            values=self.hyperparameters.sound_changes(),
            held_out=self.held_out.numbers(),
            seed=self.seed.value(),
            device=self.device.currentData() if self.device.count() > 1 else self._kept_form.device,
            largest=self.search.largest.value() if self.search.search.isChecked() else None,
        )
        form = replace(form, unfolded=self.everything.isChecked())
        keep_form(self._shared.session, self.learned.to_keep(form))

    def show_expected(self, ontology: Ontology | None, seconds: Mapping[str, float | None]) -> None:
        """Takes the recipe that suits an ontology until one is chosen; says how long each takes."""
        if ontology is not None and self.recipe.currentData() == self._usual_recipe:
            self._usual_recipe = suited_recipe(ontology)
            self.recipe.choose(self._usual_recipe)
        self.three_lines.show_seconds(seconds)

    @Slot(str)
    def choose_list(self, title: str) -> None:
        """Chooses the recipe that learns a list as a class, and the list."""
        self.everything.setChecked(True)
        self.recipe.choose("few-shot")
        self.learned.level.lists.choose(title)

    @Slot(object)
    def choose_study(self, study_id: int) -> None:
        """Chooses the recipe that learns from verdicts, and the study."""
        self.everything.setChecked(True)
        self.recipe.choose("judged")
        self.learned.judged.choose(study_id)

    def request(self) -> RunRequest:
        """What is asked for.

        Raises:
            UserError: a value is wrong.
        """
        recipe, seed = self.recipe.currentData(), self.seed.value()
        ontology_id = self._shared.selection.ontology_id
        if ontology_id is None or self.beneath.chosen is None:
            raise UserError(tr("choose an ontology and vectors first"))
        request = RunRequest(
            recipe=recipe,
            preset=self.preset.currentData(),
            ontology_id=ontology_id,
            vectors_id=self.beneath.chosen,
            choice=None,
            rule=self.held_out.rule(recipe, seed),
            hyperparameters=self.hyperparameters.changes(),
            seed=seed,
            device=self.device.currentData(),
        )
        return self.learned.asked(request)

    @property
    def why_not(self) -> str:
        """Why nothing can be trained yet, in words; empty if something can."""
        if why := self.learned.why_no_ontology:
            return why
        if self.beneath.chosen is None:
            return tr("First train or open vectors to build on, in the form at the left")
        return self.learned.why_no_verdicts

    @Slot(str)
    def show_error(self, text: str) -> None:
        """Says what is wrong, over the button."""
        self.error.setText(text)  # as it is told: it may begin with a name
        self.error.setVisible(bool(text))

    @Slot()
    def submit(self) -> None:
        """Asks for the run."""
        self.show_error("")
        if self.three_lines.learns_text:
            self.beneath.form.start_training()
            return
        try:
            request = self.request()
        except UserError as error:
            self.show_error(str(error))
        else:
            if self.search.on:
                self.search_wanted.emit(request, self.search.largest.value())
            else:
                self.wanted.emit(request)

    def _fill(self) -> None:
        for preset in PRESETS:
            self.preset.addItem(translated(_PRESETS[preset]), preset)
        self.show_devices([("auto", tr("Auto"))])
        if self._kept_form.recipe in RECIPES:
            self.recipe.choose(self._kept_form.recipe)
        self.preset.setCurrentIndex(max(self.preset.findData(self._kept_form.preset), 0))
        self.held_out.use_numbers(self._kept_form.held_out)
        self.seed.setValue(self._kept_form.seed)
        self.seed.setAccessibleName(tr("Seed"))
        self.error.setAccessibleName(tr("What is wrong"))
        self.error.hide()
        self.everything.setToolTip(tr("Base vectors, recipe, level, names held out and settings"))

    def _lay_out(self) -> None:
        inside = QWidget()
        whole = form_column(inside)
        whole.addWidget(self.three_lines)
        whole.addWidget(self.everything)
        whole.addWidget(self.folded)
        column = plain_column(self.folded)
        parts: tuple[tuple[QWidget, ...], ...] = (
            (heading(tr("Base vectors")), self.beneath),
            (heading(tr("Recommended encoder")), self.recommended),
            (heading(tr("Or one recipe")), self.recipe, self.when, self.preset),
            (self.learned,),
        )
        for part in parts:
            for widget in part:
                column.addWidget(widget)
            column.addSpacing(8)
        column.addWidget(self.held_out)
        column.addSpacing(8)
        column.addWidget(heading(tr("Hyper-parameters")))
        column.addWidget(self.hyperparameters)
        column.addWidget(self.search)
        column.addSpacing(8)
        column.addLayout(fields((tr("Seed"), self.seed), (tr("Device"), self.device)))
        whole.addStretch(1)
        self._show_folded(self._kept_form.unfolded)
        self.everything.setChecked(self._kept_form.unfolded)
        finish_form(self, inside, self.train, self.error)

    def _connect(self) -> None:
        self.recipe.currentIndexChanged.connect(self._on_recipe)
        self.preset.currentIndexChanged.connect(self._on_preset)
        self.beneath.changed.connect(self._allow)
        self.beneath.changed.connect(self._show_about)
        for box in (self.recipe, self.preset, self.beneath.box):
            box.activated.connect(self._on_other)
        for edited in (
            self.hyperparameters.changed,
            self.learned.level.root.textEdited,
            self.learned.level.level.valueChanged,
        ):
            edited.connect(self._on_other)
        self.learned.changed.connect(self._allow)
        self.train.clicked.connect(self.submit)
        self.everything.toggled.connect(self._show_folded)
        self.three_lines.recipe_wanted.connect(self._on_recipe_wanted)
        self.three_lines.text_wanted.connect(self._on_text)
        self.learned.level.summarised.connect(self._show_about)
        self.recommended.wanted.connect(self._on_recommended)

    @Slot(bool)
    def _show_folded(self, unfolded: bool) -> None:
        if not unfolded and self.folded.isAncestorOf(self.focusWidget() or self):
            self.everything.setFocus(Qt.FocusReason.OtherFocusReason)
        self.folded.setVisible(unfolded)

    @Slot(str)
    def _on_recipe_wanted(self, recipe: str) -> None:
        self.preset.setCurrentIndex(self.preset.findData(_QUICK))
        self.recipe.choose(recipe)
        self._on_recipe()  # also where it was chosen before text was wanted

    @Slot()
    def _on_text(self) -> None:
        self.everything.setChecked(True)
        self.beneath.more.setChecked(True)
        self._allow()
        self.beneath.form.add_text.setFocus(Qt.FocusReason.OtherFocusReason)
        reveal(self.beneath.form.add_text)

    @Slot()
    def _show_about(self) -> None:
        of_level = self.recipe.needs_level
        level = self.learned.level.summary.text() if of_level else ""
        about = level or translated(self.recipe.listed.when)
        self.three_lines.show_about(about, self.beneath.chosen_label)

    @Slot(object)
    def _on_recommended(self, wanted: Recommended) -> None:
        self.show_error("")
        seed, device = self.seed.value(), self.device.currentData()
        self.recommended_wanted.emit(replace(wanted, seed=seed, device=device))

    @Slot()
    def _allow(self) -> None:
        of_text = self.three_lines.learns_text
        self.train.setText(tr("Train vectors") if of_text else tr("Train"))
        why = self.learned.why_no_ontology if of_text else self.why_not
        if why:
            self.show_error("")  # there is another reason now
        self.train.setEnabled(not why)
        self.train.setToolTip(
            why
            or tr(
                "Adds a run ({keys}); several train one after the other",
                keys=shown_keys("Ctrl+Enter"),
            )
        )

    @Slot()
    def _on_other(self) -> None:
        """What was wrong before is of another choice."""
        self.show_error("")

    @Slot()
    def _on_recipe(self) -> None:
        listed = self.recipe.listed
        self.recipe.setToolTip(f"{translated(listed.group)}: {translated(listed.title)}")
        self.when.setText(translated(listed.when))
        self.held_out.show_group(listed.group)
        self.learned.use_recipe()
        self._allow()
        self._on_preset()
        order = (
            self.held_out.validation_passes,
            *self.hyperparameters.editors,
            *self.search.editors,
        )
        for before, after in pairwise((*order, self.seed, self.device, self.train)):
            QWidget.setTabOrder(before, after)  # fields made anew would come last

    @Slot()
    def _on_preset(self) -> None:
        is_quick = self.preset.currentData() == _QUICK
        self.three_lines.show_recipe(self.recipe.currentData(), is_quick=is_quick)
        self._show_about()
        self.hyperparameters.show_preset(self.recipe.currentData(), self.preset.currentData())
        self.search.refresh()
