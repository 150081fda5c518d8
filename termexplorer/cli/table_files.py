"""`--out FILE` of the commands that print tables: what they print, as a file."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from termexplorer.cli.output import Printed, collect_printed, print_line
from termexplorer.errors import UserError

TABLE_COMMANDS = frozenset(
    {
        "compare",
        "evaluations",
        "levels",
        "maps",
        "ontologies",
        "rank hypernyms",
        "rank neighbours",
        "runs",
        "search",
        "study agreement",
        "study keys",
        "study pairs",
        "study status",
        "suggest lists",
        "vectors list",
        "verdicts check",
        "workspace backups",
    }
)
"""Those that have no file of their own to write."""
_JSON, _PARQUET = ".json", ".parquet"
_NAME = "table_file"
_HELP = (
    "Also write the table to a file: .csv, .tsv, .xlsx, .jsonl or .parquet (further tables: with a "
    "number behind its name); .json: what --json prints."
)


def add_table_option(command: TyperCommand | TyperGroup, path: str) -> None:
    """Give a command of `TABLE_COMMANDS` the option `--out`.

    Args:
        command: as typer makes it.
        path: its words, as they are typed.
    """
    if path not in TABLE_COMMANDS or command.callback is None:
        return
    command.params.append(_make_option())
    command.callback = _with_table_file(command.callback)


def _make_option() -> Any:
    app = typer.Typer(add_completion=False)

    @app.command()
    def option_alone(
        table_file: Annotated[
            Path | None, typer.Option("--out", metavar="FILE", help=_HELP, callback=_check_path)
        ] = None,
    ) -> None:
        """Have typer make the option."""

    (option,) = (param for param in get_command(app).params if param.name == _NAME)
    return option


def _check_path(path: Path | None) -> Path | None:
    from termexplorer.exporters.tables import ENDINGS
    from termexplorer.files import check_output_file

    if path is not None:
        check_output_file(path, (*ENDINGS, _PARQUET, _JSON))
    return path


def _with_table_file(callback: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command that writes what it prints, where a file is named."""

    @wraps(callback)
    def run(*args: Any, **parameters: Any) -> Any:
        path = cast("Path | None", parameters.pop(_NAME, None))
        if path is None:
            return callback(*args, **parameters)
        _check_use(path, parameters)
        is_json = path.suffix.lower() == _JSON
        if is_json:
            parameters["json"] = True
        with collect_printed(hold_json=is_json) as printed:
            result = callback(*args, **parameters)
        _write_printed(path, printed)
        return result

    return run


def _check_use(path: Path, parameters: dict[str, Any]) -> None:
    if parameters.get("json") and path.suffix.lower() != _JSON:
        raise typer.BadParameter(
            "with --json no table is printed; name the file .json, or leave --json out",
            param_hint="--out",
        )


def _write_printed(path: Path, printed: Printed) -> None:
    if path.suffix.lower() == _JSON:
        _write_json(path, printed)
    elif not printed.tables:
        print_line(f"{path} is not written: there is no row to write.")
        return
    for number, (columns, rows) in enumerate(printed.tables, 1):
        name = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        _write_one_table(name, columns, rows)
        print_line(f"{name}: {len(rows):,} {'row' if len(rows) == 1 else 'rows'}")


def _write_json(path: Path, printed: Printed) -> None:
    import json

    from termexplorer.files import atomic_write

    text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in printed.objects)
    with atomic_write(path) as fresh:
        fresh.write_text(text, "utf-8")
    print_line(f"{path}: written")


def _write_one_table(path: Path, columns: list[str], rows: list[list[Any]]) -> None:
    from termexplorer.exporters.tables import write_table

    if path.suffix.lower() == _PARQUET:
        _write_parquet(path, columns, rows)
    else:
        write_table(path, columns, rows)


def _write_parquet(path: Path, columns: list[str], rows: list[list[Any]]) -> None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise UserError(
            f"{path}: Parquet needs the package pyarrow; install termexplorer[parquet], or name "
            "the file .csv, .tsv, .xlsx, .jsonl or .json"
        ) from error
    from termexplorer.exporters.tables import number_titles
    from termexplorer.files import atomic_write

    arrays = [
        pyarrow.array(_uniform_column([row[at] for row in rows])) for at in range(len(columns))
    ]
    with atomic_write(path) as fresh:
        parquet.write_table(pyarrow.table(arrays, names=number_titles(columns)), fresh)


def _uniform_column(cells: list[Any]) -> list[Any]:
    """Return cells of one type, as texts where there are several; empty texts as None."""
    kinds = {type(cell) for cell in cells if cell not in (None, "")}
    if kinds <= {int, float} or len(kinds) == 1:
        return [None if cell == "" and kinds != {str} else cell for cell in cells]
    return [None if cell is None else str(cell) for cell in cells]
