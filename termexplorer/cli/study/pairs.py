"""The command `study pairs`."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    JsonOption,
    StudyArgument,
    WorkspaceOption,
    options_from_dataclass,
)
from termexplorer.cli.output import count_text, print_json, print_line, print_table
from termexplorer.cli.pairs.filter_options import (
    AbbreviationsOption,
    CodesOption,
    LongerOption,
    ShorterOption,
    TextOption,
)
from termexplorer.services.pairs.filter import BY_HAND, KEEP_ALL, PairFilter
from termexplorer.services.studies.left_out import leave_out_pairs, take_in_pairs
from termexplorer.services.studies.status import study_status
from termexplorer.services.studies.verdict_table import PairVerdicts, verdict_table
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPairsOptions:
    """What the command is asked."""

    study_id: StudyArgument
    codes: CodesOption = False
    abbreviations: AbbreviationsOption = False
    longer: LongerOption = 0
    shorter: ShorterOption = 0
    text: TextOption = ""
    pair: Annotated[
        list[int] | None,
        typer.Option(metavar="N", help="The number of a pair, as listed; repeatable."),
    ] = None
    leave_out: Annotated[
        bool, typer.Option("--leave-out", help="Leave the chosen pairs out of the study.")
    ] = False
    why: Annotated[str, typer.Option(help="Why they are left out, in your own words.")] = ""
    left_out: Annotated[
        bool, typer.Option("--left-out", help="Look at what is left out instead.")
    ] = False
    take_in: Annotated[
        bool, typer.Option("--take-in", help="Take the chosen pairs of those in again.")
    ] = False
    workspace: WorkspaceOption = None
    json: JsonOption = False


@options_from_dataclass
def pairs_command(asked: StudyPairsOptions) -> None:
    """Look at the pairs of a study, and leave some out before it is sent out.

    Without options all are listed. Pairs are left out until the first answer; packs that were
    exported before do not fit any more. `study show` and the report tell how many and why.
    """
    leave_out = PairFilter(
        asked.codes, asked.abbreviations, asked.longer, asked.shorter, asked.text
    )
    _check_options(asked, leave_out)
    with opened(asked.workspace) as workspace:
        gone = asked.left_out or asked.take_in
        pairs = verdict_table(workspace, asked.study_id, judges_not=True, left_out=gone).pairs
        chosen = {
            pair.number: why for pair in pairs if (why := _reason_chosen(pair, asked, leave_out))
        }
        changed = _change_pairs(workspace, asked, chosen)
        status = study_status(workspace, asked.study_id)
    shown = [pair for pair in pairs if pair.number in chosen]
    if asked.json:
        print_json(
            {
                "pairs": [_pair_object(pair, chosen) for pair in shown],
                "changed": changed,
                "left_out": status.left_out,
            }
        )
        return
    _print_pairs(shown, chosen)
    if changed is not None:
        action = "taken in again" if asked.take_in else "left out"
        changed_text = count_text(changed, "pair is", "pairs are")
        print_line(f"{changed_text} {action}; {status.pairs:,} to be judged")
    if status.left_out_told:
        print_line(status.left_out_told)


def _check_options(asked: StudyPairsOptions, leave_out: PairFilter) -> None:
    if asked.leave_out and (asked.take_in or asked.left_out):
        raise typer.BadParameter("either leave pairs out or take them in again")
    if (asked.leave_out or asked.take_in) and leave_out == KEEP_ALL and not asked.pair:
        raise typer.BadParameter("say which pairs: --pair N, or --codes, --longer and so on")
    if asked.why and not asked.leave_out:
        raise typer.BadParameter("--why goes with --leave-out")


def _reason_chosen(
    pair_verdicts: PairVerdicts, asked: StudyPairsOptions, leave_out: PairFilter
) -> str:
    """Why a pair is among the chosen ones; "" if it is not."""
    if asked.pair and pair_verdicts.number in asked.pair:
        return BY_HAND
    if leave_out == KEEP_ALL and not asked.pair:
        return pair_verdicts.left_out or " "
    return leave_out.reason(pair_verdicts.pair.subject, pair_verdicts.pair.object)


def _change_pairs(
    workspace: Workspace, asked: StudyPairsOptions, chosen: dict[int, str]
) -> int | None:
    if asked.take_in:
        return take_in_pairs(workspace, asked.study_id, chosen)
    if not asked.leave_out:
        return None
    changed = 0
    for reason in Counter(chosen.values()):
        numbers = [number for number, why in chosen.items() if why == reason]
        changed += leave_out_pairs(workspace, asked.study_id, numbers, asked.why or reason)
    return changed


def _pair_object(pair_verdicts: PairVerdicts, chosen: dict[int, str]) -> dict[str, object]:
    pair = pair_verdicts.pair
    return {
        "pair": pair_verdicts.number,
        "terms": [pair.subject, pair.object],
        "set": pair.set_name,
        "label": pair.score,
        "reason": chosen[pair_verdicts.number].strip(),
        "left_out": pair_verdicts.left_out,
    }


def _print_pairs(shown: Sequence[PairVerdicts], chosen: dict[int, str]) -> None:
    rows = [
        (e.number, e.pair.subject, e.pair.object, e.pair.set_name, e.pair.score, chosen[e.number])
        for e in shown
    ]
    print_table(("pair", "term", "other term", "set", "label", "reason"), rows)
