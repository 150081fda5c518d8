"""Templates of ROBOT (http://robot.obolibrary.org/template): what is to be added to an ontology."""

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

from termexplorer.exporters.exact_tsv import write_exact_tsv
from termexplorer.exporters.kept_notes import Noted
from termexplorer.files import atomic_write

_DOUBLED = '"\\'  # ROBOT's reader takes a backslash away that is not doubled


def write_template(
    path: Path, templates: Mapping[str, str], rows: Sequence[Mapping[str, str]]
) -> None:
    """Writes a template beside its final place, then moves it there; so with licence notes.

    Args:
        path: ends in `.tsv`, by which ROBOT knows its form.
        templates: the template string of each title; empty where a column is for people alone.
        rows: what stands below the titles; columns that are empty in all but the first are left
            out.

    Raises:
        UserError: the place cannot be written to.
    """
    first = next(iter(templates))
    titles = [title for title in templates if title == first or any(row.get(title) for row in rows)]
    strings = [templates[title] for title in titles]
    cells = ([row.get(title, "") for title in titles] for row in rows)
    noted = Noted()
    with atomic_write(path) as fresh:
        write_exact_tsv(fresh, (), chain([titles, strings], noted.rows(cells)), _DOUBLED)
    noted.keep(path)
