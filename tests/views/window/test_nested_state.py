"""What a window keeps of its pages comes with a workspace: nested without an end it is nothing."""

from pathlib import Path

import pytest

from termexplorer.views.levels.chosen import edited_choice, kept_choice
from termexplorer.views.train.last_request import KeptForm, kept_form
from termexplorer.views.widgets.ui_state import UiState
from termexplorer.views.window.level_place import kept_level

_DEEP = "[" * 100_000


def test_what_is_nested_without_an_end_is_as_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = UiState.of(tmp_path, tmp_path / "settings")
    monkeypatch.setattr(UiState, "place", lambda _self, _key: _DEEP)  # under whatever key
    assert kept_choice(state, "train/level", 1) is None
    assert edited_choice(state, 1, None) is None
    assert kept_level(state, 1) is None
    assert kept_form(state) == KeptForm()
