"""What a level's figures and reasons are called."""

from termexplorer.services.levels import LevelChoice, LevelSummary, Removed


def class_reason(reason: str, choice: LevelChoice) -> str:
    """Why a class is left out, in words."""
    told = {
        "dead end": f"dead end: nothing below level {choice.depth}",
        "not among the largest": f"not among the {choice.largest:,} largest",
        "parent of another class": "parent of another class of this level",
    }
    return told.get(reason, reason)


def names_left_out(summary: LevelSummary, choice: LevelChoice) -> str:
    """How many names are not trained on, and why."""
    words = {
        "dead end": f"below dead ends (nothing below level {choice.depth})",
        "not among the largest": "in classes not among the largest",
        "left out by hand": "in classes left out by hand",
        "parent of another class": "in classes that are parents of others",
    }
    parts = [f"{count:,} {words.get(why, why)}" for why, count in summary.names_left_out]
    return " · ".join(parts) or "none"


def classes_left_out(summary: LevelSummary) -> int:
    """How many concepts of the level are no classes."""
    return sum(len(group.concepts) for group in summary.classes_left_out)


def removed_text(removed: Removed) -> str:
    """What the rules took out of the taxonomy."""
    parts = (
        (removed.cycle_edges, "links on cycles"),
        (removed.shortcut_edges, "shortcut links"),
        (removed.dead_ends, "dead ends"),
        (removed.unreachable, "concepts not below the root"),
    )
    return " · ".join(f"{count:,} {what}" for count, what in parts)


def figures(summary: LevelSummary) -> tuple[tuple[str, str, str], ...]:
    """(title, value, meaning) of every figure of a level."""
    median = f"{summary.median:,.0f}" if summary.median == int(summary.median) else None
    return (
        ("Names", f"{summary.names:,}", "Distinct names that would be examples"),
        ("Classes", f"{summary.classes:,}", "Concepts on this level that are trained on"),
        ("Smallest", f"{summary.min:,}", "Names of the smallest class"),
        ("Median", median or f"{summary.median:,.1f}", "Names of the middle class"),
        ("Largest", f"{summary.max:,}", "Names of the largest class"),
        ("Imbalance", f"{summary.imbalance:.1f}×", "Largest class ÷ mean class; 1 when all alike"),
        ("Ambiguous", f"{summary.ambiguous:,}", "Names of several classes"),
        ("Singletons", f"{summary.singletons:,}", "Classes of one name"),
        ("Empty", f"{summary.empty:,}", "Classes without a name"),
    )


def choice_text(choice: LevelChoice) -> str:
    """A choice of level in a line."""
    parts = [f"level {choice.level}"]
    parts += [f"below {choice.root}"] if choice.root else []
    parts.append(f"names below level {choice.depth}" if choice.below_depth else "all descendants")
    if choice.shortcuts or choice.dead_ends:
        cut = ["shortcuts"] * choice.shortcuts + ["dead ends"] * choice.dead_ends
        parts.append(f"without {' and '.join(cut)}")
    parts += [f"the {choice.largest:,} largest"] if choice.largest else []
    parts += ["no parents of classes"] if choice.without_parents else []
    parts += ["no ambiguous names"] if choice.without_ambiguous else []
    parts += [f"at most {choice.cap:,} names a class"] if choice.cap else []
    parts += [f"{len(choice.left_out):,} left out by hand"] if choice.left_out else []
    return " · ".join(parts)
