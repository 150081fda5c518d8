"""Options that say which pairs of terms are meant: codes, abbreviations, by length or a text."""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, TypeAlias

import typer

from termexplorer.services.pairs.filter import ABBREVIATIONS, CODES, PairFilter

CodesOption: TypeAlias = Annotated[
    bool, typer.Option("--codes", help="A term that looks like a code: J12.9, DOID:4.")
]
AbbreviationsOption: TypeAlias = Annotated[
    bool,
    typer.Option("--abbreviations", help="A term of one word of capitals, up to 8 characters."),
]
LongerOption: TypeAlias = Annotated[
    int, typer.Option("--longer", min=0, metavar="N", help="A term of more characters.")
]
ShorterOption: TypeAlias = Annotated[
    int, typer.Option("--shorter", min=0, metavar="N", help="A term of fewer characters.")
]
TextOption: TypeAlias = Annotated[
    str, typer.Option("--text", metavar="TEXT", help="A term that holds it, in whatever case.")
]


class LeftOutKind(Enum):
    """Which terms are left out."""

    CODES = CODES
    ABBREVIATIONS = ABBREVIATIONS


@dataclass(frozen=True, kw_only=True)
class LeaveOutOptions:
    """Which pairs are left out, as options of several commands."""

    leave_out: Annotated[
        list[LeftOutKind] | None,
        typer.Option(help="Pairs with such a term are left out; repeatable."),
    ] = None
    leave_out_longer: Annotated[
        int, typer.Option(min=0, metavar="N", help="Also pairs with a term of more characters.")
    ] = 0
    leave_out_shorter: Annotated[
        int, typer.Option(min=0, metavar="N", help="Also pairs with a term of fewer characters.")
    ] = 0
    leave_out_text: Annotated[
        str, typer.Option(metavar="TEXT", help="Also pairs with a term that holds this.")
    ] = ""

    @property
    def pair_filter(self) -> PairFilter:
        """What pairs are left out for."""
        kinds = self.leave_out or ()
        return PairFilter(
            LeftOutKind.CODES in kinds,
            LeftOutKind.ABBREVIATIONS in kinds,
            self.leave_out_longer,
            self.leave_out_shorter,
            self.leave_out_text,
        )
