"""The left of the Map page: which names are laid out, by which encoder, and how."""

from collections.abc import Sequence
from importlib.util import find_spec

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QPushButton, QWidget

from termexplorer.services.encoders.built_in import sort_own_last
from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.levels.default_level import LevelOffer
from termexplorer.services.map.aligned_maps import MOST_MAPS, requests_for
from termexplorer.services.map.choice import PointCount, choice_text
from termexplorer.services.map.colours import TASKS, VERDICTS, Colouring, rank_legend
from termexplorer.services.map.files import TITLES
from termexplorer.services.map.projection import METHODS, NAMES, ProjectionRequest
from termexplorer.texts import mark, tr, translated
from termexplorer.views.map.points_choice import PointsChoice
from termexplorer.views.widgets.elided_box import ElidedBox
from termexplorer.views.widgets.elided_label import ElidedLabel
from termexplorer.views.widgets.forms import (
    choice,
    fields,
    finish_form,
    form_column,
    heading,
    offer,
    quiet,
)
from termexplorer.views.widgets.number_box import number_box
from termexplorer.views.widgets.tick_list import TickList
from termexplorer.views.window.level_place import kept_level
from termexplorer.views.window.page import Shared

NO_ENCODER = mark(
    "A map lays names out by an encoder that has vectors: train one on the page Train (Ctrl+3), or "
    "open vectors there"
)
NO_ONTOLOGY = mark("Import an ontology first (Ctrl+I)")
_COLOURS = mark(
    "Classes, or how high the best right name ranks for each name by the encoder of the first map, "
    "as the page Compare (Ctrl+5) found and kept it"
)
_BESIDE = mark("Their maps are aligned with the first; lines show the names that moved most")
_TOO_MANY = mark("Side by side are {most} maps at the most: untick an encoder")
_NAMES = dict(zip(NAMES, (mark("First name of each concept"), mark("All names")), strict=True))
_SENTENCES = {
    "pca": mark(
        "PCA: the two directions in which the names differ most. Quick; distances are true, but "
        "much is not seen"
    ),
    "tsne": mark(
        "t-SNE: near names stay near. Minutes for many names; distances between groups say little"
    ),
    "umap": mark("UMAP: near names stay near, groups stand apart. It cannot be watched"),
}
_NO_UMAP = mark("Not installed: pip install termexplorer[umap]; packages come without it")
_PERPLEXITY = mark(
    "About how many neighbours of each name count; usual is 30, or fewer for few names"
)
_PLACE = "map/"
_LEVEL = f"{_PLACE}level"


class MapForm(QWidget):
    """Asks what to draw.

    Signals:
        changed: another map is chosen.
        points_changed: other names are chosen, perhaps with other levels to colour by.
        coloured: other colours are chosen.
        wanted: Draw map was pressed.
    """

    changed = Signal()
    points_changed = Signal()
    coloured = Signal()
    wanted = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._ontology: Ontology | None = None
        self._offer = LevelOffer()
        self.ontology = ElidedLabel()
        self.encoder, self.names = choice(tr("Encoder")), choice(tr("Names"))
        self.method, self.level = choice(tr("Method")), choice(tr("Colour by level"))
        self.colours = choice(tr("Colours"))
        self.warning = quiet()
        self.warning.hide()
        self.beside = TickList(tr("Encoders to compare with"), 4)
        self.points = PointsChoice(shared)
        self.perplexity = number_box(0, 1_000, 0, translated(_PERPLEXITY))
        self.seed = number_box(
            0, 2_000_000_000, 0, tr("Random seed; the same seed gives the same map")
        )
        self.draw = QPushButton(tr("Draw map"))
        self._fill()
        self._lay_out()
        self._connect()

    @property
    def request(self) -> ProjectionRequest | None:
        """What is chosen; None while something is missing."""
        points = self.points.points
        if self._ontology is None or self.encoder.currentData() is None or self.missing:
            return None
        assert points is not None  # noqa: S101 - something would be missing
        method = self.method.currentData()
        perplexity = self.perplexity.value() if method == "tsne" else 0
        return ProjectionRequest(
            workspace=self._shared.workspace.folder,
            release_id=self._ontology.id,
            encoder_id=self.encoder.currentData(),
            names=self.names.currentData(),
            root=points.root,
            search=points.search,
            list_title=points.list_title,
            method=method,
            parameters={"perplexity": float(perplexity)} if perplexity else {},
            seed=self.seed.value(),
        )

    @property
    def missing(self) -> str:
        """What is to be chosen otherwise first."""
        if self.points.missing or len(self.beside.ticked()) < MOST_MAPS:
            return self.points.missing
        return translated(_TOO_MANY, most=MOST_MAPS)

    @property
    def requests(self) -> tuple[ProjectionRequest, ...]:
        """Of all maps that are to be side by side; none while something is missing."""
        first = self.request
        if first is None:
            return ()
        return tuple(requests_for(first, [first.encoder_id, *self.beside.ticked()]))

    @property
    def encoders(self) -> tuple[str, ...]:
        """What the encoders of all maps are called."""
        titles = [self.encoder.itemText(self.encoder.findData(it)) for it in self.beside.ticked()]
        return (self.encoder.currentText(), *titles)

    @property
    def colouring(self) -> Colouring:
        """What tells the points apart."""
        return Colouring(self.level.currentData() or None, self.colours.currentData() or "")

    @property
    def title(self) -> str:
        """What is drawn, for people."""
        return self.title_of(self.encoder.currentText())

    def title_of(self, encoder: str) -> str:
        """The map by an encoder, for people."""
        method = TITLES[self.method.currentData()]
        return tr("{method} of {part} by {encoder}", method=method, part=self.part, encoder=encoder)

    @property
    def part(self) -> str:
        """Which names are drawn, for people."""
        request, points = self.request, self.points.points
        which = choice_text(request, points.root_text) if request and points else ""
        return ", ".join(filter(None, (self._ontology.label if self._ontology else "", which)))

    def use_request(self, request: ProjectionRequest, root_text: str) -> None:
        """Asks for a map that is kept; the concept below which its names are is called so."""
        first = request.encoder_id if request.after is None else request.after
        with QSignalBlocker(self):
            for box, value in (
                (self.encoder, first),
                (self.names, request.names),
                (self.method, request.method),
            ):
                box.setCurrentIndex(box.findData(value))
            self.perplexity.setValue(int(request.parameters.get("perplexity") or 0))
            self.seed.setValue(request.seed)
            self.points.use_request(request, root_text)
        with QSignalBlocker(self.beside):
            self.beside.tick(() if request.after is None else (request.encoder_id,))
        self.points_changed.emit()

    def show_encoders(self, encoders: tuple[EncoderInfo, ...]) -> None:
        """Offers encoders; the newest of the user's own is usual. What is ticked stays so."""
        is_first = not self.encoder.count()
        remembered = self._shared.session.numbers(f"{_PLACE}encoder")
        usual = next(iter(remembered), sort_own_last(encoders)[-1].id if encoders else None)
        beside = self._shared.session.numbers(f"{_PLACE}beside")
        with QSignalBlocker(self.encoder):
            offer(self.encoder, [(encoder.label, encoder.id) for encoder in encoders], usual)
        self._show_beside(beside if is_first else self.beside.ticked())

    @Slot()
    def _on_encoder(self) -> None:
        self._show_beside(self.beside.ticked())

    def _show_beside(self, ticked: Sequence[int]) -> None:
        """Offers the other encoders to be side by side with the first."""
        box = self.encoder
        tip = translated(_BESIDE)
        rows = [(box.itemData(n), box.itemText(n), tip) for n in range(box.count())]
        rows = [row for row in rows if row[0] != box.currentData()]
        with QSignalBlocker(self.beside):
            self.beside.show_rows(rows, ticked)
        self._who.setRowVisible(self.beside, bool(rows))

    def show_ontology(self, ontology: Ontology | None) -> None:
        """Says whose names are laid out; all of them again, if it is another one."""
        known = self._ontology
        self._ontology = ontology
        self.ontology.setText(ontology.label if ontology else tr("No ontology yet"))
        if ontology and (known is None or known.id != ontology.id):
            self.points.keep()
            self.points.show_ontology(ontology.id)
            self.points_changed.emit()

    def show_choice(self, levels_offered: LevelOffer, count: PointCount | None) -> None:
        """Offers levels to colour by, and says how many names are chosen."""
        self.points.show_count(count)
        self._offer, levels = levels_offered, range(1, levels_offered.levels + 1)
        rows = [(tr("Level {level}", level=level), level) for level in levels]
        with QSignalBlocker(self.level):
            self.level.clear()  # what was offered before may not have been the user's choice
            offer(self.level, [(tr("One colour"), 0), *rows], self._usual_level())
        self._warn()

    def _usual_level(self) -> int:
        """Return the level of the ontology that was chosen here, else elsewhere, else the usual."""
        session, ontology_id = self._shared.session, self._ontology.id if self._ontology else None
        chosen = next(iter(session.numbers(f"{_LEVEL}/{ontology_id}")), None)
        level_place = kept_level(session, ontology_id)
        request = self.request
        if chosen is None and level_place and request and level_place.root == request.root:
            chosen = level_place.level
        return chosen if chosen is not None and chosen <= self._offer.levels else self._offer.usual

    def _warn(self) -> None:
        """Say what is wrong with the level that is chosen."""
        text = self._offer.warning_of(self.level.currentData() or 0)
        self.warning.setText(text)
        self.warning.setVisible(bool(text))

    def allow(self, why: str) -> None:
        """Allows drawing, or says why it cannot be."""
        self.draw.setEnabled(not why)
        self.draw.setToolTip(why or tr("In the background; the map is kept (Ctrl+Enter)"))

    def keep(self) -> None:
        """Keeps what is chosen for the next start."""
        session = self._shared.session
        for key, box in self._boxes().items():
            if box.count():
                session.keep_place(f"{_PLACE}{key}", str(box.currentData()))
        session.keep_place(f"{_PLACE}beside", " ".join(map(str, self.beside.ticked())))
        session.keep_place(f"{_PLACE}perplexity", str(self.perplexity.value()))
        session.keep_place(f"{_PLACE}seed", str(self.seed.value()))
        self.points.keep()

    def close_form(self) -> None:
        """Keeps what is chosen, and ends the threads."""
        self.keep()
        self.points.close_choice()

    def _boxes(self) -> dict[str, ElidedBox]:
        return {
            "encoder": self.encoder, "names": self.names, "method": self.method,
            "colours": self.colours,
        }  # fmt: skip

    def _fill(self) -> None:
        recall = self._shared.session.place
        names = [(translated(text), key) for key, text in _NAMES.items()]
        offer(self.names, names, recall(f"{_PLACE}names"))
        has_umap = find_spec("umap") is not None
        method = recall(f"{_PLACE}method", "tsne")
        usual = method if method != "umap" or has_umap else "tsne"
        offer(self.method, [(TITLES[key], key) for key in METHODS], usual)
        model = self.method.model()
        for row, key in enumerate(METHODS):
            missing = key == "umap" and not has_umap
            tip = _NO_UMAP if missing else _SENTENCES[key]
            self.method.setItemData(row, translated(tip), Qt.ItemDataRole.ToolTipRole)
            if missing and isinstance(model, QStandardItemModel):
                model.item(row).setEnabled(False)
        rows = [(tr("Classes"), ""), *((rank_legend(task), task) for task in TASKS)]
        rows.append((tr("Verdicts on suggestions"), VERDICTS))
        offer(self.colours, rows, recall(f"{_PLACE}colours"))
        self.colours.setToolTip(translated(_COLOURS))
        self.perplexity.setSpecialValueText(tr("usual"))
        for key, box in (("perplexity", self.perplexity), ("seed", self.seed)):
            box.setValue(next(iter(self._shared.session.numbers(f"{_PLACE}{key}")), 0))
        self.perplexity.setAccessibleName(tr("Perplexity"))
        self.seed.setAccessibleName(tr("Seed"))
        self.ontology.setAccessibleName(tr("Ontology"))
        self.level.setToolTip(tr("The largest classes of the level get colours, the rest is grey"))

    def _lay_out(self) -> None:
        inside = QWidget()
        column = form_column(inside)
        column.addWidget(heading(tr("Names")))
        self._who = fields(
            (tr("Ontology"), self.ontology),
            (tr("Encoder"), self.encoder),
            (tr("Compare with"), self.beside),
            (tr("Names"), self.names),
            (tr("Of"), self.points.kind),
        )
        column.addLayout(self._who)
        column.addWidget(self.points)
        column.addSpacing(8)
        column.addWidget(heading(tr("Map")))
        self._fields = fields(
            (tr("Method"), self.method),
            (tr("Perplexity"), self.perplexity),
            (tr("Seed"), self.seed),
        )
        column.addLayout(self._fields)
        column.addSpacing(8)
        column.addWidget(heading(tr("Colours")))
        column.addLayout(
            fields((tr("By", sense="colours"), self.colours), (tr("Level"), self.level))
        )
        column.addWidget(self.warning)
        column.addStretch(1)
        finish_form(self, inside, self.draw)
        self._on_method()

    def _connect(self) -> None:
        self.method.currentIndexChanged.connect(self._on_method)
        self.encoder.currentIndexChanged.connect(self._on_encoder)
        self.beside.changed.connect(self.changed)
        for box in (self.encoder, self.method):
            box.currentIndexChanged.connect(self.changed)
        for number in (self.perplexity, self.seed):
            number.valueChanged.connect(self.changed)
        self.level.currentIndexChanged.connect(self._on_level)
        for box in (self.level, self.colours):
            box.currentIndexChanged.connect(self.coloured)
        self.names.currentIndexChanged.connect(self.points_changed)
        self.points.changed.connect(self.points_changed)
        self.draw.clicked.connect(self.wanted)

    @Slot()
    def _on_level(self) -> None:
        if self._ontology is not None and self.level.count():
            key = f"{_LEVEL}/{self._ontology.id}"
            self._shared.session.keep_place(key, str(self.level.currentData()))
        self._warn()

    @Slot()
    def _on_method(self) -> None:
        method = self.method.currentData()
        self._fields.setRowVisible(self.perplexity, method == "tsne")
        self.method.setToolTip(translated(_SENTENCES[method]))
