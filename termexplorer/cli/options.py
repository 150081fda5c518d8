"""Options that many commands share."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

WORKSPACE_VARIABLE = "TERMEXPLORER_WORKSPACE"

WorkspaceOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--workspace",
        metavar="DIR",
        envvar=WORKSPACE_VARIABLE,
        help="The workspace folder; else the usual one.",
    ),
]
JsonOption: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on standard output, nothing else.")
]
OntologyOption: TypeAlias = Annotated[
    str, typer.Option("--ontology", metavar="ID", help="Id of an ontology, or its terminology.")
]
RootOption: TypeAlias = Annotated[
    str, typer.Option("--root", metavar="CONCEPT", help="Look below this concept (id or code).")
]
