"""The files of a workspace are their owner's alone, unless a group has it on purpose."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from toy_workspace import load, write_toy

from termexplorer.store.private_files import Access, read_access, tighten_folder
from termexplorer.workspace import Workspace

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")


@pytest.fixture(params=[0o000, 0o002, 0o022], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def rights(folder: Path) -> dict[str, int]:
    """What everybody may do with a folder and all that is in it, by their names."""
    paths = (folder, *folder.rglob("*"))
    return {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in paths}


def loose(folder: Path) -> dict[str, str]:
    return {name: oct(mode) for name, mode in rights(folder).items() if mode & 0o077}


@pytest.mark.usefixtures("umask")
def test_a_new_workspace_is_its_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    workspace = Workspace(folder)
    load(workspace, write_toy(tmp_path))
    workspace.claim_window()
    assert not loose(folder)  # with the log of the open store beside it
    workspace.close()
    assert not loose(folder)
    assert rights(folder)["."] == 0o700
    assert rights(folder)["workspace.sqlite"] == 0o600


def test_what_is_made_meanwhile_is_tightened_when_the_workspace_is_closed(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "workspace")
    run_folder = workspace.folder / "runs" / "1"
    run_folder.mkdir(mode=0o755)
    (run_folder / "encoder.bin").write_bytes(b"")
    (run_folder / "encoder.bin").chmod(0o644)
    workspace.close()
    assert not loose(workspace.folder)


def test_an_open_workspace_of_ones_own_is_tightened(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    Workspace(folder).close()
    for path in (folder, folder / "runs", folder / "workspace.sqlite"):
        path.chmod(0o755)
    assert read_access(folder) == Access.OPEN
    Workspace(folder).close()
    assert read_access(folder) == Access.PRIVATE
    assert stat.S_IMODE((folder / "workspace.sqlite").stat().st_mode) == 0o600


def test_a_workspace_that_a_group_shares_on_purpose_stays_so(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    Workspace(folder).close()
    folder.chmod(0o2770)
    (folder / "workspace.sqlite").chmod(0o660)
    assert read_access(folder) == Access.SHARED
    Workspace(folder).close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o2770
    assert stat.S_IMODE((folder / "workspace.sqlite").stat().st_mode) == 0o660


def test_what_a_link_leads_to_stays_as_it_is(tmp_path: Path) -> None:
    folder, aside = tmp_path / "workspace", tmp_path / "aside"
    folder.mkdir()
    aside.write_text("")
    aside.chmod(0o644)
    (folder / "link").symlink_to(aside)
    tighten_folder(folder)
    assert stat.S_IMODE(aside.stat().st_mode) == 0o644
    assert read_access(folder) == Access.PRIVATE
