"""Options that say which pairs of terms are meant: codes, abbreviations, by length or a text."""

from typing import Annotated, TypeAlias

import typer

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
