"""The command `study adjudicate`."""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, TypeAlias

import typer

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    DontKnowVotesOption,
    JsonOption,
    StudyArgument,
    WorkspaceOption,
    options_from_dataclass,
)
from termexplorer.cli.output import count_text, print_json, print_line, print_table
from termexplorer.services.studies.adjudication.deciding import record_decision
from termexplorer.services.studies.adjudication.decisions import Decision, undo_decision
from termexplorer.services.studies.adjudication.disputed_pairs import (
    DISAGREEMENT,
    DONT_KNOW,
    JUDGED,
    NO_MAJORITY,
    Disputed,
    PairChoice,
    disputed,
    next_open,
)
from termexplorer.workspace import Workspace

_FOUND = {
    NO_MAJORITY: "have no majority",
    DISAGREEMENT: "got different answers",
    DONT_KNOW: 'got "don\'t know" from somebody',
    JUDGED: "have an answer",
}


class Which(Enum):
    """Which judged pairs are looked at."""

    NO_MAJORITY = NO_MAJORITY
    DISAGREEMENT = DISAGREEMENT
    DONT_KNOW = DONT_KNOW
    JUDGED = JUDGED


WhichOption: TypeAlias = Annotated[
    Which,
    typer.Option(
        help='Pairs without a majority; of any disagreement, 2 : 1 too; with a "don\'t know"; or '
        "all that were judged."
    ),
]
SetOption: TypeAlias = Annotated[
    str | None, typer.Option("--set", metavar="NAME", help="Only pairs of this set.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjudicateOptions:
    """What the command is asked."""

    study_id: StudyArgument
    next: Annotated[
        bool, typer.Option("--next", help="Show the next pair to decide, as without an option.")
    ] = False
    pair: Annotated[
        int | None, typer.Option(metavar="N", help="The number of a pair, to show or to decide.")
    ] = None
    answer: Annotated[str, typer.Option(metavar="ANSWER", help="What is decided of that pair.")] = (
        ""
    )
    note: Annotated[str, typer.Option(help="Why, in your own words.")] = ""
    adjudicator: Annotated[str, typer.Option(metavar="NAME", help="Who decides.")] = ""
    verdicts: Annotated[
        bool,
        typer.Option(
            "--verdicts", help="Show what the annotators said; a decision keeps that it was seen."
        ),
    ] = False
    undo: Annotated[
        bool, typer.Option("--undo", help="Take back the last decision of the adjudicator.")
    ] = False
    list: Annotated[bool, typer.Option("--list", help="All pairs that are chosen.")] = False
    which: WhichOption = Which.NO_MAJORITY
    set: SetOption = None
    votes: DontKnowVotesOption = True
    workspace: WorkspaceOption = None
    json: JsonOption = False


@options_from_dataclass
def adjudicate_command(asked: AdjudicateOptions) -> None:
    """Decide the pairs of a study on which its annotators differ, one after another.

    Without --which, those without a majority. Decisions stand beside what the annotators said.
    Figures of agreement know nothing of them; wherever there is a ground truth, in `study
    agreement`, `study report` and training, a decision is it, and the majority on all other pairs.
    """
    _check_options(asked)
    content: dict[str, Any] = {}
    with opened(asked.workspace) as workspace:
        if asked.undo:
            content["undone"] = _undo_last(workspace, asked)
        elif asked.answer:
            content["recorded"] = _record_decision(workspace, asked)
        choice = PairChoice(asked.which.value, asked.set)
        disputed_pairs = disputed(workspace, asked.study_id, choice, dont_know_votes=asked.votes)
    shown = _choose_shown(disputed_pairs, asked)
    decided = sum(disputed_pair.decision is not None for disputed_pair in disputed_pairs)
    content |= {
        "which": asked.which.value,
        "set": asked.set,
        "found": len(disputed_pairs),
        "decided": decided,
    }
    if asked.json:
        listed = disputed_pairs if asked.list else [] if shown is None else [shown]
        content["pairs"] = [_disputed_object(pair, asked.verdicts) for pair in listed]
        print_json(content)
        return
    description = _FOUND[asked.which.value]
    print_line(
        f"{count_text(len(disputed_pairs), 'pair', 'pairs')} {description}; {decided:,} of them "
        "are decided"
    )
    if asked.list:
        _print_list(disputed_pairs)
    elif shown is not None:
        _print_pair(shown, asked)


def _check_options(asked: AdjudicateOptions) -> None:
    if sum((asked.next, asked.pair is not None, asked.undo, asked.list)) > 1:
        raise typer.BadParameter("take one of --next, --pair, --undo and --list")
    if asked.answer and asked.pair is None:
        raise typer.BadParameter("say which pair is decided with --pair")
    if (asked.answer or asked.undo) and not asked.adjudicator.strip():
        raise typer.BadParameter("say who decides with --adjudicator")
    if asked.note and not asked.answer:
        raise typer.BadParameter("a note goes with a decision; say it with --answer")


def _record_decision(workspace: Workspace, asked: AdjudicateOptions) -> dict[str, Any]:
    decision = Decision(asked.adjudicator, asked.answer, asked.note, "", asked.verdicts)
    receipt = record_decision(
        workspace, asked.study_id, asked.pair or 0, decision, dont_know_votes=asked.votes
    )
    if not asked.json:
        for sentence in receipt.sentences():
            print_line(sentence)
    return {
        "pair": receipt.number,
        "terms": [receipt.pair.subject, receipt.pair.object],
        "answer": receipt.decision.answer,
        "adjudicator": receipt.decision.adjudicator,
        "stored": receipt.stored,
        "adjudicator_is_annotator": receipt.is_annotator,
        "overruled_majority": receipt.overruled or None,
    }


def _undo_last(workspace: Workspace, asked: AdjudicateOptions) -> dict[str, Any] | None:
    taken = undo_decision(workspace, asked.study_id, asked.adjudicator)
    if not asked.json:
        message = "nothing to take back" if taken is None else f"taken back: {taken.answer}"
        print_line(message)
    return None if taken is None else name_fields(taken)


def _choose_shown(disputed_pairs: list[Disputed], asked: AdjudicateOptions) -> Disputed | None:
    """The pair that is asked for, or the next one."""
    if asked.pair is None or asked.answer:
        return next_open(disputed_pairs)
    for disputed_pair in disputed_pairs:
        if disputed_pair.number == asked.pair:
            return disputed_pair
    raise typer.BadParameter(
        f"pair {asked.pair} is not among those that are chosen; see --list and --which"
    )


def _disputed_object(disputed_pair: Disputed, verdicts: bool) -> dict[str, Any]:
    pair = disputed_pair.pair
    content: dict[str, Any] = {
        "pair": disputed_pair.number,
        "terms": [pair.subject, pair.object],
        "waiting": disputed_pair.waiting,
    }
    content["decision"] = (
        None if disputed_pair.decision is None else name_fields(disputed_pair.decision)
    )
    if verdicts:
        content["verdicts"] = [
            {"annotator": judgement.annotator, "showing": judgement.showing}
            | {"answer": judgement.answer.answer, "note": judgement.answer.note}
            for judgement in disputed_pair.judgements
        ]
    return content


def _print_list(disputed_pairs: list[Disputed]) -> None:
    rows = []
    for disputed_pair in disputed_pairs:
        decision = disputed_pair.decision
        decided = (
            ("", "", "")
            if decision is None
            else (decision.answer, decision.adjudicator, decision.note)
        )
        rows.append(
            (
                disputed_pair.number,
                disputed_pair.pair.subject,
                disputed_pair.pair.object,
                disputed_pair.waiting,
                *decided,
            )
        )
    print_table(("pair", "term", "other term", "waiting", "decision", "adjudicator", "note"), rows)


def _print_pair(disputed_pair: Disputed, asked: AdjudicateOptions) -> None:
    print_line(
        f"\npair {disputed_pair.number}: “{disputed_pair.pair.subject}” and "
        f"“{disputed_pair.pair.object}”"
    )
    if disputed_pair.waiting:
        waiting = count_text(disputed_pair.waiting, "annotator has", "annotators have")
        print_line(f"{waiting} not answered yet, and may bring a majority")
    if disputed_pair.decision is not None:
        print_line(
            f"decided by {disputed_pair.decision.adjudicator}: {disputed_pair.decision.answer}"
        )
    if asked.verdicts:
        rows = [
            (s.annotator, s.showing, s.answer.answer, s.answer.note)
            for s in disputed_pair.judgements
        ]
        print_table(("annotator", "showing", "answer", "note"), rows)
    print_line(
        f"`termexplorer study adjudicate {asked.study_id} --pair {disputed_pair.number} "
        "--answer ANSWER "
        "--adjudicator NAME` decides it"
    )
