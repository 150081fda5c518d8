"""The command `levels`."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, OntologyOption, RootOption, WorkspaceOption
from termexplorer.cli.output import count_text, print_json, print_line, print_table
from termexplorer.services.explore.ontologies import find_concept, find_ontology
from termexplorer.services.levels.lens import ClassRow, LevelChoice, LevelSummary, open_lens

_CLASSES_LEFT_OUT = 5  # that are named of a level


def levels(
    ontology: OntologyOption,
    root: RootOption = "",
    depth: Annotated[
        int, typer.Option(min=1, help="Of the dead-end rule; examples are names below it.")
    ] = 4,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Show the classes and their sizes on every level, before anything is trained."""
    with opened(workspace) as opened_workspace:
        chosen = find_ontology(opened_workspace, ontology)
        curie = find_concept(opened_workspace, chosen, root).curie if root else ""
        choice = LevelChoice(root=curie, depth=depth)
        lens = open_lens(opened_workspace, chosen.id, choice)
        summaries = [lens.summary(choice.on(level)) for level in range(1, lens.levels + 1)]
        left_out = [lens.rows_left_out(summary) for summary in summaries]
    keys = ("level", "classes", "names", "min", "median", "max", "singletons", "ambiguous")
    rows: list[dict[str, Any]] = [
        {key: getattr(summary, key) for key in keys}
        | {"left_out": [_class_object(row) for row in classes if row.left_out != "dead end"]}
        | {"dead_ends": [row.code for row in classes if row.left_out == "dead end"]}
        | {"names_left_out": dict(summary.names_left_out)}
        for summary, classes in zip(summaries, left_out, strict=True)
    ]
    if json:
        print_json({"ontology": chosen.id, "levels": rows, "removed": name_fields(lens.removed)})
        return
    print_table(
        (*keys, "remark"), [[*(row[key] for key in keys), _level_remark(row)] for row in rows]
    )
    for summary, classes in zip(summaries, left_out, strict=True):
        _print_left_out(summary, classes)


def _class_object(row: ClassRow) -> dict[str, object]:
    return name_fields(row, label="name", left_out="reason")


def _print_left_out(summary: LevelSummary, classes: Sequence[ClassRow]) -> None:
    """Print how many classes and names a level does without, and why."""
    where = f"left out of level {summary.level}"
    if classes:
        named = [f"{row.code} {row.label} ({row.left_out})" for row in classes[:_CLASSES_LEFT_OUT]]
        more = len(classes) - len(named)
        end = f"; and {more:,} more" if more else ""
        count = count_text(len(classes), "class", "classes")
        print_line(f"{where}: {count}: {'; '.join(named)}{end}")
    if why := summary.names_left_out:
        count = count_text(sum(names for _, names in why), "name", "names")
        words = {"dead end": "of dead ends"}
        parts = ", ".join(f"{names:,} {words.get(reason, reason)}" for reason, names in why)
        print_line(f"{where}: {count}: {parts}")


def _level_remark(level: dict[str, Any]) -> str:
    return "" if level["names"] else "no names"
