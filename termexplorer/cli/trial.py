"""How good suggestions were on corrupted copies, and by a newer release, as commands tell it."""

from dataclasses import asdict

from termexplorer.cli.output import print_line, print_table
from termexplorer.services.found import Trial
from termexplorer.services.newer_check import NewerCheck


def print_trial(trial: Trial) -> None:
    """Prints the precision and how far likelihoods can be taken at their word."""
    print_line("Of the k most likely in further copies, so many were what was made wrong there:")
    figures = {k: trial.precision_figure(k) for k in trial.precision}
    rows = [
        (k, each.value, each.low, each.high, each.n, *_ends(trial.precision[k]), trial.chance)
        for k, each in figures.items()
    ]
    header = ("k", "precision", "low", "high", "n", "lowest copy", "highest copy", "chance")
    print_table(header, rows)
    told = trial.calibration
    print_line(
        f"Likelihoods there have a Brier score of {told.brier:.4f} (chance "
        f"{told.brier_of_chance:.4f}) and an expected calibration error of {told.error:.4f}:"
    )
    bins = [
        (f"up to {each.high:.1f}", each.likelihood, each.share, each.n)
        for each in reversed(told.bins)
    ]
    print_table(("likelihood", "mean", "came true", "n"), bins)


def _ends(values: tuple[float, ...]) -> tuple[float, float]:
    return min(values), max(values)


def trial_object(trial: Trial) -> dict[str, object]:
    """The same for JSON."""
    return asdict(trial)


def print_check(check: NewerCheck | None, what: str, changed: str, carried_out: str) -> None:
    """Prints what a newer release did, if it was asked for, with titles for the two shares."""
    if check is None:
        return
    print_line(
        f"In {check.newer.label}, of the first k suggestions, and of all {check.looked:,} {what}:"
    )
    rows: list[tuple[object, ...]] = [
        (str(k), check.changed[k], check.carried_out[k]) for k in check.changed
    ]
    rows.append(("all", check.changed_chance, check.carried_out_chance))
    print_table(("k", changed, carried_out), rows)


def check_object(check: NewerCheck | None) -> dict[str, object]:
    """The same for JSON, under `newer`."""
    return {"newer": asdict(check) | {"newer": check.newer.id}} if check else {}
