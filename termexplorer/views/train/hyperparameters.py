"""Every hyper-parameter of a recipe, with its meaning, its paper value, and a mark if changed."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLineEdit, QWidget

from termexplorer.errors import UserError
from termexplorer.services.recipes.presets import SETTING, HyperParameter, checked, recipes
from termexplorer.texts import mark, number, read_number, tr, translated
from termexplorer.views.widgets.elided_box import ElidedBox
from termexplorer.views.widgets.plain_label import PlainLabel

_NARROWEST = 64
_LETTERS = 5
_OPEN = mark("searched")


class HyperParameters(QWidget):
    """A row for each.

    Signals:
        changed: a value is another one now.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._recipe = ""
        self._preset = ""
        self._rows: list[_ParameterRow] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        for column, text in ((1, tr("this run")), (2, tr("paper"))):
            head = PlainLabel(text)
            head.setProperty("quiet", True)
            self._grid.addWidget(head, 0, column)

    def show_preset(self, recipe: str, preset: str) -> None:
        """Shows the values of a preset."""
        self._preset = preset
        if recipe != self._recipe:
            self._recipe = recipe
            self._remake()
        for row in self._rows:
            row.show_value(row.usual(preset))

    def changes(self) -> dict[str, Any]:
        """What differs from the preset, but for what is left open.

        Raises:
            UserError: a value is no number, or of another kind.
        """
        rows = [row for row in self._rows if row.editor.isEnabled()]
        values = {row.parameter.name: self._checked(row, row.value()) for row in rows}
        usual = {row.parameter.name: row.usual(self._preset) for row in rows}
        return {name: value for name, value in values.items() if value != usual[name]}

    def sound_changes(self) -> dict[str, Any]:
        """As `changes`, but for values that are wrong."""
        changed = {}
        for row in self._rows:
            with suppress(UserError):
                if row.editor.isEnabled() and row.value() != row.usual(self._preset):
                    changed[row.parameter.name] = self._checked(row, row.value())
        return changed

    def use_changes(self, changes: Mapping[str, Any]) -> None:
        """Sets values, as far as the recipe has them and they are right."""
        for row in self._rows:
            with suppress(UserError):
                if row.parameter.name in changes:
                    row.show_value(self._checked(row, changes[row.parameter.name]))
        self.on_edited()

    def editor(self, name: str) -> QWidget:
        """The field of a hyper-parameter."""
        return self._row(name).editor

    def has(self, name: str) -> bool:
        """Whether the recipe has such a hyper-parameter."""
        return any(row.parameter.name == name for row in self._rows)

    def leave_open(self, name: str, why: str) -> None:
        """Has a hyper-parameter be chosen otherwise, and says how; with no words it is set here."""
        self._row(name).leave_open(why)

    @property
    def editors(self) -> list[QWidget]:
        """All fields, from top to bottom; another recipe has other ones."""
        return [row.editor for row in self._rows]

    def _row(self, name: str) -> "_ParameterRow":
        return next(row for row in self._rows if row.parameter.name == name)

    def _checked(self, row: "_ParameterRow", value: Any) -> Any:
        return checked(self._recipe, row.parameter.name, value, row.title)

    def _remake(self) -> None:
        for row in self._rows:
            row.remove()
        self._rows = [_ParameterRow(parameter, self) for parameter in recipes()[self._recipe]]
        for line, row in enumerate(self._rows, 1):
            for column, widget in enumerate((row.label, row.editor, row.paper)):
                self._grid.addWidget(widget, line, column)

    @Slot()
    def on_edited(self) -> None:
        """Marks what differs from the preset."""
        for row in self._rows:
            row.mark(row.usual(self._preset))
        self.changed.emit()


class _ParameterRow:
    def __init__(self, parameter: HyperParameter, form: HyperParameters) -> None:
        self.parameter = parameter
        self._before = ""
        self.title = translated(parameter.title, sense=SETTING)
        self.label = PlainLabel(self.title)
        self.editor = _make_editor(parameter, form)
        self.editor.setAccessibleName(self.title)
        self.editor.setMinimumWidth(_NARROWEST)
        self.paper = PlainLabel(_value_text(parameter.paper))
        self.paper.setProperty("quiet", True)
        self.leave_open("")

    def usual(self, preset: str) -> Any:
        return getattr(self.parameter, preset)

    def leave_open(self, why: str) -> None:
        tip = tr(
            "{meaning}. In the paper: {value}",
            meaning=translated(self.parameter.meaning),
            value=_value_text(self.parameter.paper),
        )
        for widget in (self.label, self.editor, self.paper):
            widget.setToolTip(tip)
        self.editor.setEnabled(not why)
        if why:
            self.editor.setToolTip(why)
        if isinstance(self.editor, QLineEdit):
            self._show_open(self.editor)

    def _show_open(self, line: QLineEdit) -> None:
        """Shows no number that is not used, and afterwards the one that was there."""
        shown = translated(_OPEN)
        if not line.isEnabled() and line.text() != shown:
            self._before = line.text()
            line.setText(shown)
        elif line.isEnabled() and line.text() == shown:
            line.setText(self._before)

    def show_value(self, value: Any) -> None:
        if isinstance(self.editor, QCheckBox):
            self.editor.setChecked(value)
        elif isinstance(self.editor, QComboBox):
            self.editor.setCurrentIndex(self.editor.findData(value))
        elif isinstance(self.editor, QLineEdit):
            self.editor.setText(_value_text(value))
        self.mark(value)

    def value(self) -> Any:
        if isinstance(self.editor, QCheckBox):
            return self.editor.isChecked()
        if isinstance(self.editor, QComboBox):
            return self.editor.currentData()
        return self._number(self.editor.text() if isinstance(self.editor, QLineEdit) else "")

    def mark(self, usual: Any) -> None:
        try:
            changed = self.editor.isEnabled() and self.value() != usual
        except UserError:
            changed = True
        font = self.label.font()
        font.setBold(changed)
        self.label.setFont(font)
        self.label.setText(f"• {self.title}" if changed else self.title)
        self.label.setAccessibleDescription(tr("changed") if changed else "")

    def remove(self) -> None:
        for widget in (self.label, self.editor, self.paper):
            widget.hide()
            widget.deleteLater()

    def _number(self, text: str) -> int | float:
        whole = isinstance(self.parameter.paper, int)
        try:
            return read_number(text, whole=whole)
        except ValueError as error:
            template = mark("{name} must be a number, not {text!r}")
            if whole:
                template = mark("{name} must be a whole number, not {text!r}")
            raise UserError(translated(template, name=self.title, text=text)) from error


def _make_editor(parameter: HyperParameter, form: HyperParameters) -> QWidget:
    if isinstance(parameter.paper, bool):
        box = QCheckBox()
        box.toggled.connect(form.on_edited)
        return box
    if parameter.choices:
        choice = ElidedBox()
        choice.setMinimumContentsLength(_LETTERS)
        fixed = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        choice.setSizeAdjustPolicy(fixed)
        for option in parameter.choices:
            choice.addItem(translated(option, sense=SETTING), option)
        choice.currentIndexChanged.connect(form.on_edited)
        return choice
    line = QLineEdit()
    line.textEdited.connect(form.on_edited)
    return line


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, int | float):
        return number(value, "," if isinstance(value, int) else "")
    return translated(str(value), sense=SETTING)
