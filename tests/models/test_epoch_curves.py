from termexplorer.models.epochs import EpochCurves
from termexplorer.store.encoders.runs import EpochInfo


def epoch(number: int, validation: float) -> EpochInfo:
    return EpochInfo(number, {"loss": 1 - validation}, validation, 0.1, 100.0)


def test_a_run_that_goes_on_has_no_epochs_that_it_has_not_done_again() -> None:
    curves = EpochCurves([epoch(number, number / 10) for number in range(1, 6)])
    curves.add(epoch(3, 0.9))
    assert curves.numbers() == [1, 2, 3]
    assert curves.validation() == [0.1, 0.2, 0.9]
    curves.add(epoch(4, 0.8))
    assert curves.validation() == [0.1, 0.2, 0.9, 0.8]
