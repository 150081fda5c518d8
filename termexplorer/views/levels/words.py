"""What a level's figures and reasons are called."""

import re

from termexplorer.services.levels.lens import CleaningCounts, LevelChoice, LevelSummary
from termexplorer.texts import number, tr, translated, trn


def class_reason(reason: str, choice: LevelChoice) -> str:
    """Why a class is left out, in words."""
    reasons = {
        "dead end": tr("dead end: nothing below level {depth}", depth=choice.depth),
        "not among the largest": tr("not among the {most:,} largest", most=choice.largest),
        "parent of another class": tr("parent of another class of this level"),
    }
    return reasons.get(reason, reason)


def names_left_out(summary: LevelSummary, choice: LevelChoice) -> str:
    """How many names are not trained on, and why."""
    words = {
        "dead end": tr("below dead ends (nothing below level {depth})", depth=choice.depth),
        "not among the largest": tr("in classes not among the largest"),
        "left out by hand": tr("in classes left out by hand"),
        "parent of another class": tr("in classes that are parents of others"),
    }
    parts = [
        f"{number(n)} {words.get(why) or reason_text(why)}" for why, n in summary.names_left_out
    ]
    return " · ".join(parts) or tr("none", sense="names")


def reason_text(reason: str) -> str:
    """Why names are left out, as the taxonomy has it or a run kept it, for people."""
    number = re.search(r"\d+", reason)
    if number is None:
        return translated(reason)
    return translated(reason.replace(number[0], "{n}", 1), n=number[0])


def classes_text(summary: LevelSummary) -> str:
    """How many classes there are, and how many concepts of the level are none."""
    gone = sum(len(group.concepts) for group in summary.classes_left_out)
    if not gone:
        return trn("{n:,} class", "{n:,} classes", summary.classes)
    return trn(
        "{n:,} class, {gone:,} left out below",
        "{n:,} classes, {gone:,} left out below",
        summary.classes,
        gone=gone,
    )


def removed_text(removed: CleaningCounts) -> str:
    """What the rules took out of the taxonomy."""
    return " · ".join(
        (
            trn("{n:,} links on cycles", "{n:,} links on cycles", removed.cycle_edges),
            trn("{n:,} shortcut links", "{n:,} shortcut links", removed.shortcut_edges),
            trn("{n:,} dead ends", "{n:,} dead ends", removed.dead_ends),
            trn(
                "{n:,} concepts not below the root",
                "{n:,} concepts not below the root",
                removed.unreachable,
            ),
        )
    )


def figures(summary: LevelSummary) -> tuple[tuple[str, str, str], ...]:
    """(title, value, meaning) of every figure of a level."""
    median = number(summary.median, ",.0f") if summary.median == int(summary.median) else None
    return (
        (tr("Names"), number(summary.names), tr("Distinct names that would be examples")),
        (tr("Classes"), number(summary.classes), tr("Concepts on this level that are trained on")),
        (tr("Smallest"), number(summary.min), tr("Names of the smallest class")),
        (tr("Median"), median or number(summary.median, ",.1f"), tr("Names of the middle class")),
        (tr("Largest"), number(summary.max), tr("Names of the largest class")),
        (
            tr("Imbalance"),
            f"{number(summary.imbalance, '.1f')}×",
            tr("Largest class ÷ mean class; 1 if all have the same size"),
        ),
        (tr("Ambiguous"), number(summary.ambiguous), tr("Names of several classes")),
        (tr("Singletons"), number(summary.singletons), tr("Classes of one name")),
        (tr("Empty"), number(summary.empty), tr("Classes without a name")),
    )


def choice_text(choice: LevelChoice) -> str:
    """A choice of level in a line."""
    parts = [tr("level {level}", level=choice.level)]
    parts += [tr("below {root}", root=choice.root)] if choice.root else []
    parts.append(
        tr("names below level {depth}", depth=choice.depth)
        if choice.below_depth
        else tr("all descendants")
    )
    parts += _describe_cleaning(choice)
    parts += [tr("the {most:,} largest", most=choice.largest)] if choice.largest else []
    parts += [tr("no parents of classes")] if choice.without_parents else []
    parts += [tr("no ambiguous names")] if choice.without_ambiguous else []
    parts += [tr("at most {most:,} names a class", most=choice.cap)] if choice.cap else []
    by_hand = len(choice.left_out)
    parts += [tr("{count:,} left out by hand", count=by_hand)] if by_hand else []
    return " · ".join(parts)


def _describe_cleaning(choice: LevelChoice) -> list[str]:
    if choice.shortcuts and choice.dead_ends:
        return [tr("without shortcuts and dead ends")]
    if choice.shortcuts:
        return [tr("without shortcuts")]
    return [tr("without dead ends")] if choice.dead_ends else []
