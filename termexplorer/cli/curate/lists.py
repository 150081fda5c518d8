"""The commands `suggestion list`, `suggestion export`, `suggestion import` and `… remove`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Protocol

import typer

from termexplorer.cli.exporting import open_for_export, print_left_out, tell_left_out
from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened, print_warning
from termexplorer.cli.options import (
    MAPPINGS_TOLD,
    TABLES,
    TABLES_TOLD,
    JsonOption,
    WithoutBrokenOption,
    WorkspaceOption,
    options_from_dataclass,
    out_file,
)
from termexplorer.cli.output import count_text, print_json, print_line, print_table
from termexplorer.mapping_terms import CHANGE_SUFFIXES, MAPPING_SUFFIXES
from termexplorer.services.curate.answers.list_parts import find_export_judge
from termexplorer.services.curate.list_answers import PREDICATE_CURIES
from termexplorer.services.curate.mapping_states import STATE_WORDS
from termexplorer.services.curate.review_files import write_review
from termexplorer.services.curate.sssom_import import import_sssom_apart
from termexplorer.services.curate.suggestion_filter import (
    EVIDENCE,
    SuggestionFields,
    find_fitting_rows,
)
from termexplorer.services.curate.suggestion_lists import (
    KeptSearch,
    count_judged,
    describe_kept,
    find_list,
    find_person,
    kept_lists,
    remove_list,
)
from termexplorer.services.team.joining import read_membership
from termexplorer.services.workspace.safe_removal import back_up_before_removal

ListArgument = Annotated[int, typer.Argument(metavar="LIST", help="Id of a list of suggestions.")]


def _check_evidence(evidence: str) -> str:
    if evidence and evidence not in EVIDENCE:
        raise typer.BadParameter(f"{evidence!r} is none of {', '.join(EVIDENCE)}")
    return evidence


def _check_state(state: str) -> str:
    if state and state not in STATE_WORDS:
        raise typer.BadParameter(f"{state!r} is none of {', '.join(STATE_WORDS)}")
    return state


def print_kept(kept_search: KeptSearch, shown: int) -> None:
    """Print how many suggestions are shown of all, where all are kept, and where reviewed."""
    print_extent(shown, kept_search.count)
    print_line(
        f"{describe_kept(kept_search)}. It is reviewed on the page Curate; "
        f"`termexplorer suggestion export {kept_search.list_id} --out FILE` writes it with the "
        "verdicts."
    )


def print_extent(shown: int, count: int) -> None:
    """Print how many suggestions of all a table showed, where it did not show all."""
    if shown < count:
        total = count_text(count, "suggestion", "suggestions")
        print_line(f"Shown: {shown:,} of {total}; --limit shows more, --out writes all of these.")


def kept_object(kept_search: KeptSearch) -> dict[str, object]:
    """Return for JSON in which list suggestions are, and what that list had before."""
    content: dict[str, object] = {
        "list": kept_search.list_id,
        "list_is_new": kept_search.replaced is None,
        "count": kept_search.count,
    }
    if kept_search.replaced is not None:
        content |= {"replaced": kept_search.replaced, "unchanged": kept_search.unchanged}
    return content


class HasReferences(Protocol):
    """What cross-references say of a mapping."""

    @property
    def known(self) -> bool:
        """Whether one says the same."""
        ...

    @property
    def references(self) -> tuple[str, ...]:
        """CURIEs that they name."""
        ...


def reference_cell(mapping: HasReferences) -> str:
    """Return for a table whether cross-references say the same, else what they name."""
    return "same" if mapping.known else ", ".join(mapping.references)


def list_command(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """List the suggestions that are kept for review, and how many somebody judged."""
    with opened(workspace) as opened_workspace:
        membership = read_membership(opened_workspace)
        member = membership.person if membership else ""
        rows = [
            {
                "list": suggestion_list.id,
                "kind": suggestion_list.head.kind,
                "title": suggestion_list.head.title,
                "made_at": suggestion_list.head.made_at,
                "suggestions": suggestion_list.count,
                "judged": count_judged(opened_workspace, suggestion_list.id),
                "annotator": (person := find_person(suggestion_list).name),
                "mine": bool(person) and person == member,
            }
            for suggestion_list in kept_lists(opened_workspace)
        ]
    if json:
        print_json({"lists": rows})
    elif rows:
        columns: tuple[str, ...] = ("list", "kind", "title", "suggestions", "judged")
        if any(row["annotator"] for row in rows):
            columns += ("part of",)
        shown = [
            row | {"part of": f"{row['annotator']}{' (you)' if row['mine'] else ''}"}
            for row in rows
        ]
        print_table(columns, [[row[column] for column in columns] for row in shown])
    else:
        print_line(
            "No suggestions are kept yet; `termexplorer suggest --help` tells what finds some."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListExportOptions:
    """What it is asked."""

    list_id: ListArgument
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help=f"Suggestions with verdicts as {MAPPINGS_TOLD}, {TABLES_TOLD}; what was "
            "judged correct as changes: .robot.tsv, .kgcl.",
            callback=out_file(*MAPPING_SUFFIXES, *CHANGE_SUFFIXES, *TABLES),
        ),
    ]
    only_judged: Annotated[
        bool, typer.Option("--judged", help="Only what somebody judged; otherwise all.")
    ] = False
    least: Annotated[
        float | None, typer.Option(min=0, max=1, help="Only what is at least so probable.")
    ] = None
    most: Annotated[
        float | None, typer.Option(min=0, max=1, help="Only what is at most so probable.")
    ] = None
    predicate: Annotated[
        str,
        typer.Option(
            metavar="PREDICATE",
            help="Only mappings by this one: exact, close, broad, narrow, related, none, or a "
            "CURIE.",
        ),
    ] = ""
    evidence: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help=f"Only mappings that rest on this: {', '.join(EVIDENCE)}.",
            callback=_check_evidence,
        ),
    ] = ""
    frequency: Annotated[
        float | None, typer.Option(min=0, help="Only codes that are used at least so often.")
    ] = None
    state: Annotated[
        str,
        typer.Option(
            metavar="STATE",
            help=f"Only what a newer release made this of: {', '.join(STATE_WORDS)}.",
            callback=_check_state,
        ),
    ] = ""
    outcomes: Annotated[
        bool,
        typer.Option(
            "--outcomes",
            help="Of a list in parts: what was agreed or decided, once, with the others as "
            "reviewers.",
        ),
    ] = False
    asker: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="NAME",
            help="Who exports; somebody who still answers it blind gets their own verdicts alone.",
        ),
    ] = ""
    without_broken: WithoutBrokenOption = False
    workspace: WorkspaceOption = None
    json: JsonOption = False


@options_from_dataclass
def export_command(asked: ListExportOptions) -> None:
    """Write a list of suggestions, with what all curators said of them."""
    curie = PREDICATE_CURIES.get(asked.predicate, asked.predicate)
    fields = SuggestionFields(
        asked.least, asked.most, curie, asked.evidence, asked.frequency, asked.state
    )
    with open_for_export(asked.workspace, without_broken=asked.without_broken) as part:
        rows = None
        if fields != SuggestionFields():
            rows = find_fitting_rows(part.workspace, asked.list_id, fields)
        written = write_review(
            part.workspace,
            asked.out,
            asked.list_id,
            rows,
            only_judged=asked.only_judged,
            outcomes=asked.outcomes,
            judge=find_export_judge(part.workspace, asked.list_id, asked.asker),
        )
    if asked.json:
        print_json(name_fields(written) | {"file": str(asked.out)} | tell_left_out(part))
        return
    why = f": {written.reason}" if written.reason else ""
    print_line(f"{count_text(written.rows, 'row is', 'rows are')} in {asked.out}{why}")
    if written.conflicts:
        print_line(
            f"left out: {count_text(written.conflicts, 'suggestion', 'suggestions')}"
            " that as many called correct as wrong"
        )
    if written.left_out:
        print_line(
            f"left out: {count_text(written.left_out, 'mapping', 'mappings')} that this format has "
            "no place for (narrow, related or denied ones)"
        )
    if written.loss and written.rows:
        print_line(f"{written.loss}.")
    print_left_out(part)


def import_command(
    file: Annotated[
        Path,
        typer.Argument(
            help="Mappings: SSSOM/TSV, FHIR ConceptMap, OMOP or Usagi; or a table "
            f"({TABLES_TOLD}) that was exported here or has SSSOM's columns."
        ),
    ],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Keep a file's mappings for review; what curators said of them goes to the log of verdicts."""
    with opened(workspace, make=True) as opened_workspace:
        imported = import_sssom_apart(opened_workspace, file)
    if json:
        print_json(name_fields(imported, part_of="part_of_list"))
        return
    repeat_note = " is there already" if imported.was_there else ""
    print_line(
        f"list {imported.list_id}{repeat_note}: "
        f"{count_text(imported.suggestions, 'suggestion', 'suggestions')}; "
        f"{count_text(imported.verdicts, 'verdict', 'verdicts')}, "
        f"{imported.new_verdicts:,} of them new"
    )
    if imported.part_of is not None:
        print_line(
            f"{count_text(imported.new_suggestions, 'suggestion is', 'suggestions are')} not in "
            "list "
            f"{imported.part_of}, which has the others"
        )
    if imported.older_verdicts:
        print_line(
            f"left out: {count_text(imported.older_verdicts, 'verdict', 'verdicts')}"
            " whose judges said something later here"
        )
    if imported.doubled:
        print_line(
            f"{count_text(imported.doubled, 'row is', 'rows are')} the same as one before in every "
            "cell, and merged with it"
        )
    if imported.unknown_ids:
        first, more = ", ".join(imported.first_unknown_ids), len(imported.first_unknown_ids)
        print_line(
            f"{count_text(imported.unknown_ids, 'id is', 'ids are')} in no ontology of this "
            f"workspace: {first}{', …' if imported.unknown_ids > more else ''}; the mappings "
            "are kept"
        )


def remove_command(
    list_id: ListArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    workspace: WorkspaceOption = None,
) -> None:
    """Remove a list of suggestions; the verdicts on it stay in the log."""
    with opened(workspace) as opened_workspace:
        suggestion_list = find_list(opened_workspace, list_id)
        if not yes:
            print_line(
                f"List {list_id}, {suggestion_list.head.title}: "
                f"{count_text(suggestion_list.count, 'suggestion', 'suggestions')}"
            )
            typer.confirm("Remove this list?", abort=True, err=True)
        back_up_before_removal(opened_workspace, print_warning)
        removed = remove_list(opened_workspace, list_id)
    print_line(removed.told)
