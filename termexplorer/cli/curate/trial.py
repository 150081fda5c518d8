"""How good suggestions were on corrupted copies, and by a newer release, as commands tell it."""

from typing import Any

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.output import print_line, print_table
from termexplorer.services.curate.found import Trial
from termexplorer.services.curate.newer_check import NewerCheck, ShareFigure
from termexplorer.texts import interval_text


def print_trial(trial: Trial) -> None:
    """Prints the precision and how far likelihoods can be taken at their word."""
    print_line("Of the k most likely in further copies, so many were what was made wrong there:")
    chance = share_with_interval(trial.chance_figure)
    figures = {k: trial.precision_figure(k) for k in trial.precision}
    rows = [
        (
            k,
            figure.value,
            figure.low,
            figure.high,
            figure.n,
            *_value_range(trial.precision[k]),
            chance,
        )
        for k, figure in figures.items()
    ]
    header = ("k", "precision", "low", "high", "n", "lowest copy", "highest copy", "chance")
    print_table(header, rows)
    calibration = trial.calibration
    print_line(
        f"Likelihoods there have a Brier score of {calibration.brier:.4f} (chance "
        f"{calibration.brier_of_chance:.4f}) and an expected calibration error of "
        f"{calibration.error:.4f}:"
    )
    bins = [
        (
            f"up to {calibration_bin.high:.1f}",
            calibration_bin.likelihood,
            share_with_interval(calibration_bin.came_true),
            calibration_bin.n,
        )
        for calibration_bin in reversed(calibration.bins)
    ]
    print_table(("likelihood", "mean", "came true", "n"), bins)


def _value_range(values: tuple[float, ...]) -> tuple[float, float]:
    return min(values), max(values)


def trial_object(trial: Trial) -> dict[str, object]:
    """Return the same for JSON, with intervals of the precision and of what came true."""
    content: dict[str, Any] = name_fields(trial)
    content["calibration"] = name_fields(trial.calibration, error="calibration_error")
    content["precision_figures"] = {
        k: share_object(trial.precision_figure(k)) for k in trial.precision
    }
    content["chance_figure"] = share_object(trial.chance_figure)
    for row, calibration_bin in zip(
        content["calibration"]["bins"], trial.calibration.bins, strict=True
    ):
        row["came_true"] = share_object(calibration_bin.came_true)
    return content


def print_check(check: NewerCheck | None, subjects: str, changed: str, carried_out: str) -> None:
    """Prints what a newer release did, if it was asked for, with titles for the two shares."""
    if check is None:
        return
    print_line(
        f"In {check.newer.label}, of the first k suggestions, and of all {check.looked:,} "
        f"{subjects}:"
    )
    shares = [(str(k), check.changed[k], check.carried_out[k]) for k in check.changed]
    shares.append(("all", check.changed_chance, check.carried_out_chance))
    rows = [
        (k, share_with_interval(first), share_with_interval(second), first.n)
        for k, first, second in shares
    ]
    print_table(("k", changed, carried_out, "n"), rows)


def share_with_interval(share: ShareFigure) -> str:
    """Return a share with its interval, as a cell; a dash for that of none."""
    if share.value != share.value:
        return "–"
    return interval_text(share.value, share.low, share.high)


def share_object(share: ShareFigure) -> dict[str, object]:
    """Return a share for JSON, which knows no NaN."""
    known = share.value == share.value
    return {key: value if known else None for key, value in name_fields(share).items()} | {
        "n": share.n
    }


def check_object(check: NewerCheck | None) -> dict[str, object]:
    """The same for JSON, under `newer`."""
    if check is None:
        return {}
    content = {
        "ontology": check.newer.id,
        "looked": check.looked,
        "changed": {k: share_object(share) for k, share in check.changed.items()},
        "changed_chance": share_object(check.changed_chance),
        "carried_out": {k: share_object(share) for k, share in check.carried_out.items()},
        "carried_out_chance": share_object(check.carried_out_chance),
    }
    return {"newer": content}
