"""Private keys: for their owner alone, made once, and nowhere else than in their folder."""

import logging
import os
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from study_packs_steps import leave_keys_out
from toy_studies import ANNA, BEN, answer_all, at_work, make, opened, sent

from termexplorer.services.signing.private_keys import author_key, read_seat_key, seat_key
from termexplorer.services.signing.signatures import SignatureState, check_signature
from termexplorer.services.studies.answers import write_answers
from termexplorer.services.workspace.backups import make_backup
from termexplorer.workspace import Workspace

STUDY = "0" * 64


def key_files(workspace: Workspace) -> list[Path]:
    return sorted((workspace.folder / "keys").iterdir())


def test_a_key_signs_alike_each_time_and_nothing_else_fits(empty: Workspace) -> None:
    key = author_key(empty)
    assert key is not None
    signature = key.sign(b"this")
    again = author_key(empty)
    assert again is not None
    assert again.sign(b"this") == signature
    assert check_signature(signature, b"this") is SignatureState.VALID
    assert check_signature(signature, b"that") is SignatureState.INVALID
    other = seat_key(empty, STUDY, ANNA)
    assert other is not None
    assert check_signature(other.sign(b"this"), b"this") is SignatureState.VALID
    assert other.public != key.public


def test_each_seat_has_its_own_key_which_reading_does_not_make(empty: Workspace) -> None:
    assert read_seat_key(empty, STUDY, ANNA) is None
    keys = [seat_key(empty, study, name) for study in (STUDY, "1" * 64) for name in (ANNA, BEN)]
    assert len({key.public for key in keys if key}) == 4
    stored_key = read_seat_key(empty, STUDY, ANNA)
    assert stored_key is not None
    assert keys[0] is not None
    assert stored_key.public == keys[0].public


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")
def test_keys_are_for_their_owner_alone_whatever_the_umask(empty: Workspace) -> None:
    before = os.umask(0)
    try:
        assert author_key(empty)
    finally:
        os.umask(before)
    (file,) = key_files(empty)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_who_comes_at_once_gets_the_same_key(empty: Workspace) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda _: author_key(empty), range(16)))
    assert len({key.public for key in keys if key}) == 1
    assert len(key_files(empty)) == 1


@pytest.mark.parametrize("content", [b"", b"ab", b"x" * 64, b"\xff" * 64, b"a" * 100_000])
def test_a_damaged_key_is_none_and_is_not_shown(
    empty: Workspace, caplog: pytest.LogCaptureFixture, content: bytes
) -> None:
    assert author_key(empty)
    (file,) = key_files(empty)
    digits = file.read_text("ascii")
    file.write_bytes(digits[:40].encode() + content)
    with caplog.at_level(logging.DEBUG):
        assert author_key(empty) is None
    assert "damaged" in caplog.text
    assert digits[:16] not in caplog.text


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither")
def test_a_pipe_or_link_in_its_place_is_not_opened(empty: Workspace, tmp_path: Path) -> None:
    assert author_key(empty)
    (file,) = key_files(empty)
    moved = tmp_path / "elsewhere"
    file.rename(moved)
    file.symlink_to(moved)
    assert author_key(empty) is None
    file.unlink()
    os.mkfifo(file)
    assert author_key(empty) is None


def test_without_keys_all_goes_on_unsigned(
    empty: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    (empty.folder / "keys").write_text("a file stands where the folder should be", "utf-8")
    assert author_key(empty) is None
    (empty.folder / "keys").unlink()
    leave_keys_out(monkeypatch)
    assert author_key(empty) is None
    assert not (empty.folder / "keys").exists()


def test_private_keys_are_in_no_file_but_their_own(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), opened(tmp_path / "clinic") as clinic:
        make(clinic)
        answer_all(at_work(clinic, sent(clinic, 1, ANNA, tmp_path)))
        write_answers(clinic, 1, ANNA, tmp_path / "answers")
        make_backup(clinic, tmp_path / "backup.sqlite")
        keys = key_files(clinic)
    assert len(keys) == 2
    secrets = [key.read_bytes() for key in keys]
    other_files = [path for path in tmp_path.rglob("*") if path.is_file() and path not in keys]
    assert len(other_files) > 3
    for secret in secrets:
        assert len(secret) == 64
        raw = bytes.fromhex(secret.decode("ascii"))
        assert secret.decode("ascii") not in caplog.text
        for path in other_files:
            content = path.read_bytes()
            assert secret not in content
            assert raw not in content
