"""Sizes that Optuna proposes, a round at a time, from what all rounds before came to."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from termexplorer.errors import UserError
from termexplorer.services.train.hidden_search import SMALLEST, Tried
from termexplorer.texts import tr

ROUND = 4  # trials that do not wait for each other
_HIDDEN = "hidden"


def check_optuna() -> None:
    """Refuse a search by Optuna where it is missing.

    Raises:
        UserError: it is.
    """
    if find_spec("optuna") is None:
        raise UserError(
            tr(
                "a search by trials needs the extra `cluster`: .venv/bin/python -m pip install -e "
                "'.[cluster]' in termexplorer's folder"
            )
        )


def propose_sizes(done: Sequence[Tried], rounds: int, seed: int, largest: int) -> list[int]:
    """Return the numbers of hidden units of the next round, the same on every machine.

    The first round is drawn at random, on a logarithmic scale; later ones are proposed by a
    tree-structured Parzen estimator (Bergstra et al. 2011) that knows all finished rounds.

    Args:
        done: the trials of finished rounds, in their order.
        rounds: how many these are.
        seed: of the proposals.
        largest: no number is larger; it leaves room for all trials.
    """
    check_optuna()
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sizes: Any = {_HIDDEN: optuna.distributions.IntDistribution(SMALLEST, largest, log=True)}
    sampler = optuna.samplers.TPESampler(
        seed=seed + rounds, n_startup_trials=ROUND, constant_liar=True
    )
    higher = all(trial.higher_is_better for trial in done)
    study = optuna.create_study(direction="maximize" if higher else "minimize", sampler=sampler)
    for trial in done:
        if trial.figure is not None:
            study.add_trial(
                optuna.create_trial(
                    params={_HIDDEN: trial.hidden}, distributions=sizes, value=trial.figure
                )
            )
    taken, proposed = {trial.hidden for trial in done}, []
    for _ in range(ROUND):
        hidden = int(study.ask(sizes).params[_HIDDEN])
        while hidden in taken:  # a size is trained once
            hidden = hidden + 1 if hidden < largest else SMALLEST
        taken.add(hidden)
        proposed.append(hidden)
    return proposed
