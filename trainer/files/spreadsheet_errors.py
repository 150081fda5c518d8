"""Errors of spreadsheet programs, as their cells show them and as they stand in a CSV."""

import re

from termexplorer.trainer.errors import Message, TrainerError

_ERRORS = {
    "#N/A", "#NV", "#REF!", "#BEZUG!", "#NAME?", "#VALUE!", "#WERT!", "#DIV/0!", "#NULL!", "#NUM!",
    "#ZAHL!", "#SPILL!", "#ÜBERLAUF!", "#CALC!", "#KALK!", "#GETTING_DATA", "#DATEN_ABRUFEN",
    "#FIELD!", "#FELD!", "#BLOCKED!", "#CONNECT!", "#UNKNOWN!", "#BUSY!", "#N/D", "#VALEUR!",
    "#NOM?", "#NOMBRE!", "#NUL!", "#¡VALOR!", "#¡REF!", "#¿NOMBRE?", "#¡DIV/0!", "#¡NUM!",
    "#¡NULO!", "#VALORE!", "#RIF!", "#NOME?", "#VALOR!",
}  # fmt: skip
_OTHER_ERROR = re.compile(r"#{3,}|Err:5\d\d")  # a column too narrow; LibreOffice's numbers
_LARGEST_ERROR = 16  # signs


def is_error_text(text: str) -> bool:
    """Return whether a text is an error as a spreadsheet program shows it, such as `#N/A`."""
    if len(text) > _LARGEST_ERROR or not text.startswith(("#", "Err:")):
        return False
    return text.upper() in _ERRORS or _OTHER_ERROR.fullmatch(text) is not None


def refuse_error(cell: str, where: Message) -> None:
    """Refuse an error of a spreadsheet, or a NUL, where a term or an answer is to be.

    Args:
        cell: as it stands in the file.
        where: file and line.

    Raises:
        ValueError: it is one.
    """
    if "\0" in cell:
        raise TrainerError("{where}: it holds a NUL, which is no character; remove it", where=where)
    if is_error_text(cell):
        raise TrainerError(
            "{where}: {value} is an error of a spreadsheet; mend or empty the cell",
            where=where,
            value=cell,
        )
