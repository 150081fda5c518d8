"""Names that a command is given: one, or a file of them."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from termexplorer.errors import UserError
from termexplorer.system_reasons import tell_reason

FromFileOption: TypeAlias = Annotated[
    Path | None, typer.Option("--from", metavar="FILE", help="A file of names, one a line.")
]


def read_names(name: str, from_file: Path | None) -> list[str]:
    """Return the one name, or those of the file.

    Raises:
        BadParameter: both are given, or neither.
        UserError: see `read_name_file`.
    """
    if bool(name) == (from_file is not None):
        raise typer.BadParameter("give a NAME, or a file of names with --from")
    if from_file is None:
        return [name]
    return read_name_file(from_file)


def read_name_file(path: Path) -> list[str]:
    """Return the names of a text file, one a line.

    Raises:
        UserError: it cannot be read, is no text, or holds no name.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({tell_reason(error)})") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: is no text in UTF-8; save it as such") from error
    names = [line.strip() for line in lines if line.strip()]
    if not names:
        raise UserError(f"{path}: holds no name; write one a line")
    return names
