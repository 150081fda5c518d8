"""`--out FILE` of the commands that print tables: what they print, as a file."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from termexplorer.cli.output import Printed, collect_printed, print_line

TABLE_COMMANDS = frozenset(
    {
        "compare",
        "backup list",
        "encoder list",
        "import",
        "evaluation list",
        "levels",
        "map list",
        "ontology list",
        "rank hypernyms",
        "rank parents",
        "rank neighbours",
        "run list",
        "search",
        "run resume",
        "study adjudicate",
        "study agreement",
        "study keys",
        "study list",
        "study merge",
        "study new",
        "study pairs",
        "study show",
        "suggestion list",
        "suggestion split",
        "team share",
        "team status",
        "train",
        "verdicts check",
        "workspace check",
    }
)
"""Those that have no file of their own to write; of groups all."""
_JSON = ".json"
_NAME = "table_file"
TABLE_HELP = (
    "Also write the table to a file: .csv, .tsv, .xlsx, .jsonl or .parquet (further tables: with a "
    "number behind its name); .json: what --json prints."
)


def add_table_option(command: TyperCommand | TyperGroup, path: str) -> None:
    """Give a command of `TABLE_COMMANDS` the option `--out`.

    Args:
        command: as typer makes it.
        path: its words, as they are typed.
    """
    is_table = path in TABLE_COMMANDS or path.partition(" ")[0] in TABLE_COMMANDS
    if not is_table or isinstance(command, TyperGroup) or command.callback is None:
        return
    command.params.append(_make_option())
    command.callback = _with_table_file(command.callback)


def _make_option() -> Any:
    app = typer.Typer(add_completion=False)

    @app.command()
    def option_alone(
        table_file: Annotated[
            Path | None,
            typer.Option("--out", metavar="FILE", help=TABLE_HELP, callback=_check_path),
        ] = None,
    ) -> None:
        """Have typer make the option."""

    (option,) = (param for param in get_command(app).params if param.name == _NAME)
    return option


def _check_path(path: Path | None) -> Path | None:
    from termexplorer.exporters.tables import ENDINGS
    from termexplorer.files import check_output_file

    if path is not None:
        check_output_file(path, ENDINGS)
    return path


def _with_table_file(callback: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command that writes what it prints, where a file is named."""

    @wraps(callback)
    def run(*args: Any, **parameters: Any) -> Any:
        path = cast("Path | None", parameters.pop(_NAME, None))
        if path is None:
            return callback(*args, **parameters)
        if path.suffix.lower() == _JSON:
            parameters["json"] = True
        with write_what_is_printed(path, json=bool(parameters.get("json"))):
            return callback(*args, **parameters)

    return run


@contextmanager
def write_what_is_printed(path: Path, *, json: bool) -> Iterator[None]:
    """Write the tables that are printed meanwhile to a file, or the JSON.

    A command that ends with an exit code of its own has printed all the same.

    Args:
        path: the file; its ending tells the format.
        json: whether JSON is printed, which is held back where it goes to the file.
    """
    is_json = path.suffix.lower() == _JSON
    if json and not is_json:
        raise typer.BadParameter(
            "with --json no table is printed; name the file .json, or leave --json out",
            param_hint="--out",
        )
    with collect_printed(hold_json=is_json) as printed:
        try:
            yield
        except typer.Exit:
            _write_printed(path, printed)
            raise
    _write_printed(path, printed)


def _write_printed(path: Path, printed: Printed) -> None:
    if path.suffix.lower() == _JSON:
        _write_json(path, printed)
    elif not printed.tables:
        print_line(f"{path} is not written: there is no row to write.")
        return
    from termexplorer.exporters.tables import write_table

    for number, (columns, rows) in enumerate(printed.tables, 1):
        name = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        write_table(name, columns, rows)
        print_line(f"{name}: {len(rows):,} {'row' if len(rows) == 1 else 'rows'}")


def _write_json(path: Path, printed: Printed) -> None:
    import json

    from termexplorer.files import atomic_write

    text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in printed.objects)
    with atomic_write(path) as fresh:
        fresh.write_text(text, "utf-8")
    print_line(f"{path}: written")
