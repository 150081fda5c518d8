"""The templates of reports, from `resources/reports`."""

from functools import cache
from typing import TYPE_CHECKING

from termexplorer.resources import FOLDER

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = FOLDER / "reports"

LIGHT_COLOURS = {
    "ground": "#f6f7f9", "panel": "#fff", "line": "#dfe3e8", "text": "#1b1f27", "quiet": "#667085",
    "c0": "#444b57", "c1": "#0072b2", "c2": "#b35900", "c3": "#00795a", "c4": "#a8518a",
    "c5": "#8a6d00", "c6": "#3a86b8",
}  # fmt: skip
DARK_COLOURS = {
    "ground": "#16181d", "panel": "#1c1f26", "line": "#2c313b", "text": "#e6e8ec",
    "quiet": "#98a0ae", "c0": "#c3c9d4", "c1": "#56b4e9", "c2": "#f0a14a", "c3": "#3fc08f",
    "c4": "#e09bc4", "c5": "#f0e442", "c6": "#9ecbea",
}  # fmt: skip


def render_template(name: str, **values: object) -> str:
    """Return a template of `resources/reports` with values filled in, escaped as HTML."""
    return _make_environment().get_template(name).render(values)


@cache
def _make_environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
