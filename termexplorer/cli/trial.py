"""How good suggestions were on corrupted copies of an ontology, as commands tell it."""

from dataclasses import asdict

from termexplorer.cli.output import print_line, print_table
from termexplorer.services.found import Trial


def print_trial(trial: Trial) -> None:
    """Prints the precision and how far likelihoods can be taken at their word."""
    print_line("Of the k most likely in further copies, so many were what was made wrong there:")
    rows = [
        (k, sum(values) / len(values), min(values), max(values), trial.chance)
        for k, values in trial.precision.items()
    ]
    print_table(("k", "precision", "lowest", "highest", "chance"), rows)
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


def trial_object(trial: Trial) -> dict[str, object]:
    """The same for JSON."""
    return asdict(trial)
