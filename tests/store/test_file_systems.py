"""A store on a file system of a network keeps a rollback journal, which two processes can share."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path, PurePosixPath

import pytest

from termexplorer.store.file_systems import find_mount_type, find_network_type
from termexplorer.store.opening import open_store
from termexplorer.workspace import Workspace

MOUNTS = """\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:40 / /home/anna/clinic\\040files rw shared:2 - cifs //server/share rw,vers=3.0
31 22 0:41 / /net rw - nfs4 server:/export rw
32 31 0:42 / /net/local rw master:3 propagate_from:2 - tmpfs tmpfs rw
33 22 0:43 / /mnt rw - ext4 /dev/vdb rw
34 33 0:44 / /mnt rw - fuse.sshfs anna@server: rw
a line that says nothing
"""
WRITE = """
import sys
from pathlib import Path
from termexplorer.store.opening import open_store
from termexplorer.workspace import Workspace
store = open_store(Path(sys.argv[1]))
for number in range(int(sys.argv[2])):
    with store.writing() as connection:
        connection.exec_driver_sql("INSERT INTO person (name, orcid) VALUES ('x', '')")
    with store.looking() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM person").fetchone()[0] > number
store.close()
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/anna/workspace", "ext4"),
        ("/home/anna/clinic files/workspace", "cifs"),
        ("/home/anna/clinic filesystem", "ext4"),
        ("/net/anna", "nfs4"),
        ("/net/local/anna", "tmpfs"),
        ("/mnt/anna", "fuse.sshfs"),
        ("/", "ext4"),
    ],
)
def test_the_nearest_mount_tells_the_type(path: str, kind: str) -> None:
    assert find_mount_type(MOUNTS, PurePosixPath(path)) == kind


def test_no_mount_is_no_network() -> None:
    assert find_mount_type("", PurePosixPath("/x")) == ""


@pytest.fixture
def network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that the system takes for one of a network."""
    mounts = tmp_path / "mountinfo"
    mounts.write_text("22 1 254:0 / / rw - nfs4 server:/export rw\n")
    monkeypatch.setenv("TERMEXPLORER_MOUNTINFO", str(mounts))
    return tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux")
def test_a_local_folder_is_of_no_network(tmp_path: Path) -> None:
    assert find_network_type(tmp_path / "not" / "there") == ""


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux")
def test_two_processes_write_to_a_store_of_a_network(network: Path) -> None:
    path, row_count = network / "workspace.sqlite", 40
    with closing(open_store(path)) as store:
        assert store.network == "nfs4"
        command = [sys.executable, "-c", WRITE, str(path), str(row_count)]
        processes = [subprocess.Popen(command) for _ in range(2)]
        assert [other.wait() for other in processes] == [0, 0]
        with store.looking() as connection:
            assert connection.exec_driver_sql("PRAGMA journal_mode").fetchone() == ("delete",)
            assert connection.exec_driver_sql("PRAGMA synchronous").fetchone() == (3,)  # EXTRA
            counted = connection.exec_driver_sql("SELECT count(*) FROM person").fetchone()
        with store.filling() as filling:
            assert filling.exec_driver_sql("PRAGMA synchronous").scalar() == 3
    assert counted == (2 * row_count,)
    assert not list(network.glob("*-wal"))


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux")
def test_a_store_that_had_a_write_ahead_log_is_read_on_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "workspace.sqlite"
    open_store(path).close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    (tmp_path / "mounts").write_text("22 1 254:0 / / rw - nfs server:/export rw\n")
    monkeypatch.setenv("TERMEXPLORER_MOUNTINFO", str(tmp_path / "mounts"))
    open_store(path).close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux")
def test_the_doctor_tells_of_network_and_access(network: Path) -> None:
    Workspace(network / "workspace").close()
    run = "from termexplorer.cli.main import run; run()"  # its children are its own
    words = [sys.executable, "-c", run, "doctor", "--workspace", str(network / "workspace")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "of a network (nfs4), rollback journal" in done.stdout
    assert "the workspace can be read by its owner alone" in done.stdout
