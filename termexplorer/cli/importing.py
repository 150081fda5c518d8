"""The command `import`: a release into the workspace, or what it would bring."""

from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from termexplorer.cli.imported import imported_object, print_imported
from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, WorkspaceOption
from termexplorer.cli.output import print_json, print_line, print_table, progress_bar
from termexplorer.errors import StoppedError
from termexplorer.places import workspace_folder
from termexplorer.services.encoders.names_language import language_notice
from termexplorer.services.encoders.vectors import prepare_lexical
from termexplorer.services.explore.ontologies import Ontology, Remark, import_report
from termexplorer.services.importing.releases import (
    FilePreview,
    ImportRequest,
    SpoiledCells,
    formats,
    import_release,
    look_into,
    rehearse,
    table_fields,
)
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

_SHOWN_OPTIONS = 40
_SHOWN_CONCEPTS = 10
_PREVIEW = ("code", "name", "synonyms", "parents")  # of a concept


SourceArgument = Annotated[
    str, typer.Argument(help="A file, the folder or zip of a release, or the word icd10cm.")
]
FormatOption = Annotated[
    str | None, typer.Option("--format", help="obo, table, rf2, …; else told by content.")
]
ColumnsOption = Annotated[
    str,
    typer.Option(
        help="Columns of a table, by title or number: "
        "id=code,name=3,kind=…,parents=…,definition=…,synonyms=…,obsolete=status"
    ),
]
DelimiterOption = Annotated[str | None, typer.Option(help="Delimiter of a table.")]
SheetOption = Annotated[str | None, typer.Option(help="Sheet of a workbook, by name or number.")]
TitlesOption = Annotated[
    bool | None,
    typer.Option("--titles/--no-titles", help="Whether a table's first row has titles."),
]
TerminologyOption = Annotated[
    str | None, typer.Option(help="The terminology that this is a release of.")
]
LanguageOption = Annotated[
    str | None, typer.Option(help="Of the names in an RF2 release; else en where it is there.")
]
DialectOption = Annotated[
    str | None,
    typer.Option(help="Of them: en-US, en-GB or a language reference set's id; else en-US."),
]
ReleaseTypeOption = Annotated[
    str | None, typer.Option(help="Of an RF2 release: snapshot, as usual, or full.")
]
ChoiceOption = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=A,B", help="Of what --look says there is to choose."),
]
LookOption = Annotated[
    bool, typer.Option("--look", help="Only show its beginning and what there is to choose.")
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Read the whole, and report; keep nothing.")
]


def import_(
    source: SourceArgument,
    format_name: FormatOption = None,
    columns: ColumnsOption = "",
    delimiter: DelimiterOption = None,
    sheet: SheetOption = None,
    titles: TitlesOption = None,
    terminology: TerminologyOption = None,
    language: LanguageOption = None,
    dialect: DialectOption = None,
    release_type: ReleaseTypeOption = None,
    choose: ChoiceOption = None,
    look: LookOption = False,
    dry_run: DryRunOption = False,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Import a release of a terminology."""
    if format_name not in (None, *formats()):
        raise typer.BadParameter(f"choose one of {', '.join(formats())}", param_hint="--format")
    request = ImportRequest(
        workspace=workspace_folder(workspace),
        source=source,
        format=format_name,
        terminology=terminology,
        columns=_parse_columns(columns),
        delimiter={"\\t": "\t", "tab": "\t"}.get(delimiter or "", delimiter),
        sheet=sheet,
        titles=titles,
        language=language,
        dialect=dialect,
        choices=_parse_choices((*(choose or ()), *_release_type_option(release_type))),
    )
    if look:
        _print_look(request, json)
    elif dry_run:
        _print_rehearsal(request, json)
    else:
        with opened(workspace, make=True) as opened_workspace:
            ontology = _import_release(opened_workspace, request, warn=not json)
            remarks = import_report(opened_workspace, ontology.id)
            _print_import(f"is ontology {ontology.id}:", ontology, remarks, json)


def _print_rehearsal(request: ImportRequest, json: bool) -> None:
    with progress_bar() as show:
        rehearsal = rehearse(request, JobControl(), show)
    _print_import("would bring", rehearsal.ontology, rehearsal.remarks, json)


def _import_release(workspace: Workspace, request: ImportRequest, *, warn: bool) -> Ontology:
    with progress_bar() as show:
        on_message = _warning_first(show) if warn else show
        ontology = import_release(workspace, request, JobControl(), on_message)
        try:
            prepare_lexical(workspace, ontology.id, JobControl(), show)
        except KeyboardInterrupt as error:
            message = f"{ontology.label} is imported, as ontology {ontology.id}"
            raise StoppedError(f"stopped; {message}, and its TF-IDF is made when needed") from error
    if notice := language_notice(workspace, ontology.id):
        typer.echo(f"{notice}.", err=True)
    return ontology


def _warning_first(show: Callable[[object], None]) -> Callable[[object], None]:
    """Return what prints the warnings of spoiled cells on standard error, and shows the rest."""

    def print_warnings(message: object) -> None:
        if isinstance(message, SpoiledCells):
            for warning in message.warnings:
                typer.echo(f"Warning: {warning}", err=True)
        show(message)

    return print_warnings


def _print_import(verb: str, ontology: Ontology, remarks: Sequence[Remark], json: bool) -> None:
    if json:
        print_json(imported_object(ontology, remarks))
    else:
        print_imported(verb, ontology, remarks)


def _print_look(request: ImportRequest, json: bool) -> None:
    with progress_bar() as show:
        preview = look_into(request, JobControl(), show)
    if json:
        print_json(_preview_object(preview))
        return
    print_line(" ".join(part for part in (preview.format, preview.title, preview.version) if part))
    for remark in preview.remarks:
        print_line(f"  {remark}")
    _print_choices(preview)
    print_table(_PREVIEW, preview.concepts[:_SHOWN_CONCEPTS])


def _preview_object(preview: FilePreview) -> dict[str, object]:
    return name_fields(preview) | {
        "concepts": [dict(zip(_PREVIEW, row, strict=True)) for row in preview.concepts],
        "choices": [
            name_fields(choice)
            | {"options": [name_fields(option, label="title") for option in choice.options]}
            for choice in preview.choices
        ],
    }


def _print_choices(preview: FilePreview) -> None:
    for choice in preview.choices:
        print_line(f"{choice.title} (--choose {choice.key}=…):")
        for option in choice.options[:_SHOWN_OPTIONS]:
            mark = "*" if option.value in choice.usual else " "
            label = option.label if option.label != option.value else ""
            count = f"{option.count:,} {choice.counted}" if option.count >= 0 else ""
            print_line("  ".join(part for part in (mark, option.value, label, count) if part))
        if len(choice.options) > _SHOWN_OPTIONS:
            print_line(f"  … and {len(choice.options) - _SHOWN_OPTIONS:,} more; --json has all")
    if preview.choices:
        print_line("* is taken unless told otherwise")


def _parse_columns(text: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    if not all(name.strip() and equals and column.strip() for name, equals, column in pairs):
        raise typer.BadParameter("give columns as id=1,name=3", param_hint="--columns")
    columns = {name.strip(): column.strip() for name, _, column in pairs}
    if unknown := set(columns) - set(table_fields()):
        offered = ", ".join(table_fields())
        raise typer.BadParameter(f"no column {min(unknown)}: there are {offered}")
    return columns


def _release_type_option(release_type: str | None) -> list[str]:
    return [f"release-type={release_type}"] if release_type else []


def _parse_choices(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    choices = {}
    for key, equals, values in (text.partition("=") for text in texts):
        if not (key.strip() and equals and values.strip()):
            raise typer.BadParameter("give choices as sources=A,B", param_hint="--choose")
        choices[key.strip()] = tuple(value.strip() for value in values.split(","))
    return choices
