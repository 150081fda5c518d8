"""Options that many commands share."""

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar, get_type_hints

import typer

from termexplorer.files import check_output_file, check_output_folder
from termexplorer.mapping_terms import MAPPING_SUFFIXES
from termexplorer.places import WORKSPACE_VARIABLE

NO_ONTOLOGY = "No ontology yet: `termexplorer import icd10cm`, or import a file."
TABLES = (".csv", ".tsv", ".xlsx", ".jsonl", ".parquet", ".json")
"""Endings of what `exporters.tables` writes."""
MAPPINGS_TOLD = ", ".join(MAPPING_SUFFIXES)
TABLES_TOLD = ", ".join(TABLES[:-1]) + f" or {TABLES[-1]}"
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
WithoutBrokenOption: TypeAlias = Annotated[
    bool,
    typer.Option("--without-broken", help="Leave damaged rows out, and tell which they are."),
]
StudyArgument: TypeAlias = Annotated[int, typer.Argument(metavar="ID", help="Id of a study.")]
DontKnowVotesOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--dont-know-votes/--dont-know-missing",
        help='In the majority, "don\'t know" is a vote for none, or no vote.',
    ),
]
RootOption: TypeAlias = Annotated[
    str, typer.Option("--root", metavar="CONCEPT", help="Look below this concept (id or code).")
]
DepthOption: TypeAlias = Annotated[
    int,
    typer.Option("--depth", min=1, help="Of the dead-end rule; examples are names below it."),
]

AlsoOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--also",
        metavar="ID",
        help="An ontology whose synonym sets are learned besides; repeatable.",
    ),
]
SeedOption: TypeAlias = Annotated[int, typer.Option("--seed", min=0, help="Of everything random.")]
DeviceOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--device", help="auto, cpu, cuda, cuda:N, gpus for all here, or @NAME for a cluster."
    ),
]


def out_file(*endings: str) -> Callable[[Path | None], Path | None]:
    """Make what checks the file of `--out` before a command does anything.

    Args:
        endings: how its name may end; anything if there are none.
    """

    def checked(path: Path | None) -> Path | None:
        if path is not None:
            check_output_file(path, endings)
        return path

    return checked


def out_folder(path: Path | None) -> Path | None:
    """Check the folder of `--out` before a command does anything."""
    if path is not None:
        check_output_folder(path)
    return path


SuggestionsOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help=f"All suggestions, as {MAPPINGS_TOLD}, {TABLES_TOLD}.",
        callback=out_file(*MAPPING_SUFFIXES, *TABLES),
    ),
]
LimitOption: TypeAlias = Annotated[
    int, typer.Option("--limit", min=0, help="The most suggestions to show.")
]
NewerOption: TypeAlias = Annotated[
    str,
    typer.Option("--newer", metavar="ID", help="A newer release, to see what it did with them."),
]

_Options = TypeVar("_Options")


def options_from_dataclass(command: Callable[[_Options], None]) -> Callable[..., None]:
    """Makes a command of a function of one dataclass, whose fields become the options.

    So commands that are asked the same declare it once.
    """
    kind = next(iter(get_type_hints(command).values()))

    @wraps(command)
    def called(**values: Any) -> None:
        command(kind(**values))

    called.__signature__ = inspect.signature(kind)  # type: ignore[attr-defined]
    return called
