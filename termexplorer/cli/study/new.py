"""The command `study new`."""

from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, SeedOption, WorkspaceOption, options_from_dataclass
from termexplorer.cli.output import count_text, print_json, print_line, print_table
from termexplorer.cli.pairs.filter_options import LeaveOutOptions
from termexplorer.errors import UserError
from termexplorer.services.pairs.files import read_checks, read_pools
from termexplorer.services.studies.answer_lines import read_answers, write_answer
from termexplorer.services.studies.glossary import read_glossary
from termexplorer.services.studies.presets import (
    Scale,
    find_protocol,
    find_scale,
    protocols,
    scales,
)
from termexplorer.services.studies.sources import tell_sources
from termexplorer.services.studies.studies import LookUp, NewStudy, StudyPlan, new_study

_SCALES, _PROTOCOLS = tuple(scales()), protocols()
_TOLD = "; ".join(f"{name}: {protocol.meaning}" for name, protocol in _PROTOCOLS.items())


class WhereTo(Enum):
    """Where terms may be looked up, besides in a glossary."""

    NONE = "none"
    WEB = "web"


class Level(Enum):
    """What answers are to each other."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


@dataclass(frozen=True)
class NewStudyOptions(LeaveOutOptions):
    """What a study is made of."""

    pairs: Annotated[
        list[Path],
        typer.Option(
            metavar="FOLDER|FILE", help="Pair sets: a folder of .tsv files, or a file; repeatable."
        ),
    ]
    title: Annotated[str, typer.Option(help="Of the study.")]
    annotator: Annotated[
        list[str], typer.Option(metavar="NAME", help="Somebody who judges; repeatable.")
    ]
    protocol: Annotated[str, typer.Option(metavar="NAME", help=f"{_TOLD}.")] = next(
        iter(_PROTOCOLS)
    )
    each: Annotated[
        int | None,
        typer.Option(
            min=1, help="Similar pairs, and as many others, of each set; not the preset's."
        ),
    ] = None
    practice: Annotated[
        int | None, typer.Option(min=0, help="Pairs before, which do not count.")
    ] = None
    repeat: Annotated[
        float | None,
        typer.Option(metavar="SHARE", min=0, max=0.5, help="Of the pairs, which come twice."),
    ] = None
    overlap: Annotated[
        int | None, typer.Option(min=1, help="How many judge each pair; all, unless told.")
    ] = None
    shared: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            help="Of the pairs, those that so many judge; each of the others is judged by one, and "
            "agreement is not of these.",
        ),
    ] = 1.0
    scale: Annotated[
        str, typer.Option(metavar="NAME", help=f"What is asked: {', '.join(_SCALES)}.")
    ] = _SCALES[0]
    answer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ANSWER",
            help="An answer of your own, in place of the scale's: “KEY: ANSWER = NUMBER (MEANING) "
            "[HINT]”, all but the answer if you like; “= ?” is no rating. Repeatable.",
        ),
    ] = None
    level: Annotated[
        Level, typer.Option(help="Of your own answers: kinds, steps, or equal steps.")
    ] = Level.NOMINAL
    similar: Annotated[
        str,
        typer.Option(
            metavar="ANSWER",
            help="Means “similar”, with all above it on a scale of steps, where labels and "
            "encoders are held against the answers.",
        ),
    ] = ""
    question: Annotated[str, typer.Option(help="In other words than the scale's.")] = ""
    guidelines: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A text to read before, not the scale's.")
    ] = None
    look_up: Annotated[
        WhereTo, typer.Option(help="Where annotators may look terms up; its use is recorded.")
    ] = WhereTo.NONE
    glossary: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Lines of a term, a tab and a text, which annotators may look up too. Not the "
            "terminology's own: two names of one concept would show the same.",
        ),
    ] = None
    tell_practice: Annotated[
        bool,
        typer.Option("--tell-practice", help="Say what was right after each practice pair."),
    ] = False
    checks: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Pairs with known labels, ratings or answers, mixed in for everybody to see "
            "whether they attend; in no figure. Repeatable.",
        ),
    ] = None
    seed: SeedOption = 0
    workspace: WorkspaceOption = None
    json: JsonOption = False


@options_from_dataclass
def new_command(options: NewStudyOptions) -> None:
    """Draw the pairs of a study from pair sets, and hand them out to who judges."""
    preset = find_protocol(options.protocol)
    plan = StudyPlan(
        title=options.title,
        annotators=options.annotator,
        scale=_read_scale(options),
        each=preset.each if options.each is None else options.each,
        practice=preset.practice if options.practice is None else options.practice,
        repeat=preset.repeat if options.repeat is None else options.repeat,
        overlap=options.overlap,
        shared=options.shared,
        leave_out=options.pair_filter,
        tell_practice=options.tell_practice,
        seed=options.seed,
        look_up=_look_up(options),
    )
    with opened(options.workspace, make=True) as workspace:
        plan = replace(plan, sources=tell_sources(workspace, options.pairs))
        answers = [answer.answer for answer in plan.scale.answers if answer.value is not None]
        checks = list(read_checks(options.checks or (), answers))
        study = new_study(workspace, plan, read_pools(options.pairs), checks)
    if options.json:
        print_json(_study_object(study))
    else:
        _print_study(study)


def _study_object(study: NewStudy) -> dict[str, object]:
    turns = [{"annotator": name, "questions": count} for name, count in study.turns.items()]
    sets = [name_fields(pair_set, name="set") for pair_set in study.sets]
    return name_fields(study, id="study", turns="") | {"annotators": turns, "sets": sets}


def _look_up(options: NewStudyOptions) -> LookUp:
    glossary = () if options.glossary is None else read_glossary(options.glossary)
    return LookUp(options.look_up is WhereTo.WEB, glossary)


def _read_scale(options: NewStudyOptions) -> Scale:
    own_scale = Scale("", options.level.value, "", ())
    scale = own_scale if options.answer else find_scale(options.scale)
    similar = options.similar or scale.similar
    lines = options.answer or [write_answer(answer, scale.level) for answer in scale.answers]
    try:
        answers = read_answers(lines, scale.level, similar)
    except ValueError as error:
        raise UserError(str(error)) from error
    scale = replace(scale, answers=answers, similar=similar)
    if options.question:
        scale = replace(scale, question=options.question)
    if options.guidelines is None:
        return scale
    try:
        return replace(scale, guidelines=options.guidelines.read_text("utf-8-sig").strip())
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{options.guidelines}: cannot be read as a text ({error})") from error


def _print_study(study: NewStudy) -> None:
    print_line(
        f"study {study.id}: {count_text(study.pairs, 'pair', 'pairs')}"
        f", and {study.practice:,} to practise"
    )
    for shortfall in study.shortfalls():
        print_line(shortfall)
    if study.overlapping < study.pairs:
        print_line(
            f"agreement is of {count_text(study.overlapping, 'pair', 'pairs')} judged by two or "
            "more; the others are judged by one each"
        )
    if study.checks:
        checks = count_text(
            study.checks, "pair is mixed in as a check", "pairs are mixed in as checks"
        )
        print_line(f"{checks}: their answers are known")
    print_table(("annotator", "questions"), list(study.turns.items()))
    print_line(f"`termexplorer study export {study.id} --annotator NAME --out FILE` makes a pack.")
