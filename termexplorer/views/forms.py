"""How fields stand in a form: below each other with their titles, or side by side."""

from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QWidget

_GAP = 8


def fields(*rows: tuple[str, QWidget]) -> QFormLayout:
    """Fields below each other, as wide as there is room, each after its title."""
    form = QFormLayout()
    form.setSpacing(_GAP)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    for title, widget in rows:
        form.addRow(title, widget)
    return form


def beside(*widgets: QWidget) -> QHBoxLayout:
    """Widgets side by side, as wide as each other."""
    row = QHBoxLayout()
    row.setSpacing(_GAP)
    for widget in widgets:
        row.addWidget(widget, 1)
    return row


def heading(text: str) -> QLabel:
    """A line over a part of a form."""
    label = QLabel(text)
    font = label.font()
    font.setWeight(font.Weight.DemiBold)
    label.setFont(font)
    return label
