"""The chooser of what the recommended encoder is made of."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QPushButton, QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.encoders.built_in import is_built_in
from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.levels.default_level import warn_of_level
from termexplorer.services.train.recommended import (
    OF_WORDS,
    Recommended,
    runs_needed,
)
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.train.further_ontologies import FurtherOntologies
from termexplorer.views.widgets.elided_box import ElidedBox
from termexplorer.views.widgets.forms import choice, fields, offer, plain_column, quiet
from termexplorer.views.widgets.keys import shown_keys, submit_by_keys
from termexplorer.views.widgets.number_box import number_box
from termexplorer.views.widgets.toggle_button import ToggleButton
from termexplorer.views.window.page import Shared

_NONE = 0
_COUNTED = "words"  # the method of counted words
_WHAT = mark(
    "A few runs, one over the other, and one encoder at the end. It starts from the built-in "
    "encoder and needs no text; word vectors (weighted by SIF) and a transformer, which may be "
    "trained first, are joined with it. Over them one run learns synonyms, others the classes of "
    "a level."
)

_OPENS = mark("The encoder that did best on open terminologies, from a few runs")
_NEEDS = mark("First import an ontology")


class RecommendedForm(QWidget):
    """A button, and below it what is asked: word vectors, transformers, ontologies and a level.

    Signals:
        wanted: a `Recommended`.
    """

    wanted = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._transformers: list[int] = []
        self._built_in_id = _NONE
        self.built_in = QCheckBox(tr("Start from the built-in encoder"))
        self.built_in.setChecked(True)
        self.vectors = choice(tr("Word vectors"))
        self.more_vectors = choice(tr("More word vectors"))
        self.more_vectors.setToolTip(
            tr("Of another kind, such as counted words (PPMI), to be joined with the others")
        )
        self.tune = QCheckBox(tr("Train the transformer too"))
        self.tune.setChecked(True)
        self.transformer = choice(tr("Transformer"))
        self.transformer.setToolTip(
            tr("Joined with the word vectors; open one under “Base vectors”")
        )
        self.at_end = choice(tr("Joined at the end"))
        self.at_end.setToolTip(
            tr("As it is, such as a larger transformer, over which training would take long")
        )
        self.over_all = QCheckBox(tr("Also train on the encoder joined at the end"))
        self.over_all.setToolTip(
            tr("It then reads every name learned from, which takes a large transformer long")
        )
        self.also = FurtherOntologies(tr("Further ontologies whose synonyms are learned"))
        self.about_also = quiet(tr("Also learn synonyms from:"))
        self.classes = choice(tr("Ontology whose classes are learned"))
        self.level = number_box(0, 20, 0, tr("Level of the classes, 1 the highest"))
        self.level.setSpecialValueText(tr("usual"))
        self.samples = number_box(
            1, 20, 1, tr("Runs over 15 names of each class, whose encoders are averaged")
        )
        self.warning = quiet()
        self.warning.hide()
        self._levels = LatestQueryWorker(self)
        self._levels.answered.connect(self._on_level_read)
        self._levels.failed.connect(shared.notices.error)
        self.train = QPushButton()
        self.train.setToolTip(
            tr(
                "Adds the runs ({keys}), each when the one before has ended",
                keys=shown_keys("Ctrl+Enter"),
            )
        )
        self._lay_out()
        self.built_in.toggled.connect(self._allow)
        self.vectors.currentIndexChanged.connect(self._allow)
        self.vectors.currentTextChanged.connect(self.vectors.setToolTip)
        self.more_vectors.currentIndexChanged.connect(self._allow)
        self.transformer.currentIndexChanged.connect(self._allow)
        self.at_end.currentIndexChanged.connect(self._allow)
        self.tune.toggled.connect(self._allow)
        self.classes.currentIndexChanged.connect(self._allow)
        self.samples.valueChanged.connect(self._allow)
        for changed in (self.level.valueChanged, self.classes.currentIndexChanged):
            changed.connect(self._ask_level)
        self.train.clicked.connect(self._on_train)
        self._allow()

    def show_encoders(self, encoders: Sequence[EncoderInfo]) -> None:
        """Offers encoders that have vectors: words, then transformers, the narrowest first."""
        shipped = [encoder for encoder in encoders if is_built_in(encoder)]
        self._built_in_id = shipped[-1].id if shipped else _NONE
        encoders = [encoder for encoder in encoders if encoder not in shipped]
        untrained = [encoder for encoder in encoders if encoder.kind == "untrained"]
        words = [encoder for encoder in untrained if encoder.method in OF_WORDS]
        other_encoders = [encoder for encoder in encoders if encoder.method not in OF_WORDS]
        words.sort(
            key=lambda encoder: encoder.method == _COUNTED
        )  # those that know all words first
        rows = [(encoder.label, encoder.id) for encoder in words]
        _offer_or_none(self.vectors, rows, words[0].id if words else _NONE)
        counted = [encoder.id for encoder in words[1:] if encoder.method == _COUNTED]
        _offer_or_none(self.more_vectors, rows, next(iter(counted), _NONE))
        transformers = [encoder for encoder in other_encoders if encoder.is_transformer]
        transformers.sort(key=lambda encoder: encoder.dimension)
        self._transformers = [transformer.id for transformer in transformers]
        rows = [(encoder.label, encoder.id) for encoder in other_encoders]
        usual = [*self._transformers, _NONE, _NONE]
        for box, encoder_id in zip((self.transformer, self.at_end), usual, strict=False):
            _offer_or_none(box, rows, encoder_id)
        self._allow()

    def show_ontologies(self, ontologies: Sequence[Ontology], current: int | None) -> None:
        """Offers ontologies to learn from besides the current one."""
        other_ontologies = [ontology for ontology in ontologies if ontology.id != current]
        self.also.show_ontologies(other_ontologies)
        for widget in (self.about_also, self.also):
            widget.setVisible(bool(other_ontologies))
        with_levels = {ontology.id: ontology.label for ontology in ontologies if ontology.is_a}
        usual = current if current in with_levels else next(iter(with_levels), _NONE)
        _offer_or_none(self.classes, [(text, id_) for id_, text in with_levels.items()], usual)
        self._allow()

    def recommended(self) -> Recommended:
        """What is asked for."""
        words = (self.vectors.currentData(), self.more_vectors.currentData())
        transformer, last = self.transformer.currentData(), self.at_end.currentData()
        return Recommended(
            ontology_id=self._shared.selection.ontology_id or 0,
            vectors_ids=tuple(dict.fromkeys(encoder_id for encoder_id in words if encoder_id)),
            built_in_id=self._built_in_id if self.built_in.isChecked() else _NONE,
            also=self.also.ticked(),
            transformer_id=transformer or _NONE,
            tuned=self._tunable() and self.tune.isChecked(),
            at_end_ids=(last,) if last and last != transformer else (),
            over_all=self.over_all.isChecked(),
            classes_id=self.classes.currentData() or _NONE,
            level=self.level.value(),
            samples=self.samples.value(),
        )

    def _lay_out(self) -> None:
        self._of_classes = fields(
            (tr("Classes of"), self.classes),
            (tr("Level"), self.level),
            (tr("Samples"), self.samples),
            (tr("At the end"), self.at_end),
        )
        self.level.setAccessibleName(tr("Level of the classes"))
        self.samples.setAccessibleName(tr("Samples"))
        chooser, whole = QWidget(), plain_column(self)
        self.opener = ToggleButton(tr("Recommended encoder…"), chooser, self.built_in)
        inside = plain_column(chooser)
        inside.addWidget(quiet(translated(_WHAT)))
        inside.addWidget(self.built_in)
        inside.addLayout(
            fields(
                (tr("Word vectors"), self.vectors),
                (tr("More vectors"), self.more_vectors),
                (tr("Transformer"), self.transformer),
            )
        )
        inside.addWidget(self.tune)
        inside.addWidget(self.about_also)
        inside.addWidget(self.also)
        inside.addLayout(self._of_classes)
        inside.addWidget(self.warning)
        inside.addWidget(self.over_all)
        inside.addWidget(self.train)
        whole.addWidget(self.opener)
        whole.addWidget(chooser)
        submit_by_keys(chooser, self.train.click)

    def _tunable(self) -> bool:
        """Whether what is chosen is a transformer itself."""
        return self.transformer.currentData() in self._transformers

    @Slot()
    def _allow(self) -> None:
        self.tune.setVisible(self._tunable())
        self.over_all.setVisible(bool(self.at_end.currentData()))
        for widget in (self.level, self.samples):
            self._of_classes.setRowVisible(widget, bool(self.classes.currentData()))
        wanted = self.recommended()
        self.opener.allow(bool(wanted.ontology_id), translated(_OPENS), translated(_NEEDS))
        self.built_in.setVisible(self._built_in_id != _NONE)
        self.train.setEnabled(bool(wanted.untrained_ids))
        needed = runs_needed(wanted)
        self.train.setText(trn("Train its {n} runs", "Train its {n} runs", needed))

    @Slot()
    def _ask_level(self) -> None:
        """Has it said what is wrong with the level that is chosen, if one is."""
        ontology_id, level = self.classes.currentData(), self.level.value()
        self._on_level_read("")
        self._levels.forget()
        if ontology_id and level:
            self._levels.ask(partial(warn_of_level, self._shared.workspace, ontology_id, level))

    @Slot(object)
    def _on_level_read(self, warning: str) -> None:
        self.warning.setText(warning)
        self.warning.setVisible(bool(warning))

    def close_choices(self) -> None:
        """Ends the thread that reads levels."""
        self._levels.close()

    @Slot()
    def _on_train(self) -> None:
        self.wanted.emit(self.recommended())


def _offer_or_none(box: ElidedBox, rows: Sequence[tuple[str, int]], usual: object) -> None:
    """Offers none as well; it is no choice of the user's while there was nothing else."""
    if box.count() < 2:
        box.clear()
    offer(box, [(tr("None", sense="to choose"), _NONE), *rows], usual)
