"""On what kind of file system a store lies: one of a network cannot share memory with others.

SQLite's write-ahead log needs shared memory, which several computers do not have in common.
"""

import os
import sys
from pathlib import Path, PurePosixPath

_MOUNTS = Path("/proc/self/mountinfo")
_ELSEWHERE = "TERMEXPLORER_MOUNTINFO"  # another file that says what is mounted
_NETWORK = frozenset(
    {
        "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "fuse.ceph-fuse", "fuse.davfs2",
        "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "gfs2", "gpfs", "lustre",
        "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "smb3", "smbfs", "vboxsf",
        "virtiofs", "webdav",
    }
)  # fmt: skip
_REMOTE_DRIVE = 4  # of Windows
_LOCAL_FLAG, _FLAGS_AT, _NAME_AT, _NAME_LENGTH = 0x1000, 64, 72, 16  # of macOS's struct statfs
_STATFS_SIZE = 4_096  # more than it takes


def find_network_type(path: Path) -> str:
    """Return the type of the file system of a network that a path lies on; "" on a local one.

    Args:
        path: a file or folder, which need not be there yet.
    """
    resolved = path.resolve()
    if sys.platform == "win32":
        return _find_remote_drive(resolved)
    if sys.platform == "darwin":
        return _find_remote_volume(resolved)
    try:
        text = Path(os.environ.get(_ELSEWHERE, _MOUNTS)).read_text("utf-8", "surrogateescape")
    except OSError:
        return ""
    kind = find_mount_type(text, PurePosixPath(resolved))
    return kind if kind in _NETWORK else ""


def find_mount_type(mounts: str, path: PurePosixPath) -> str:
    """Return the type of the file system that a path lies on, as Linux tells it.

    Args:
        mounts: what `/proc/self/mountinfo` says.
        path: absolute.

    Returns:
        The type of the mount that is nearest above the path; of several there, of the last one.
    """
    nearest, kind = -1, ""
    for line in mounts.splitlines():
        fields, dash, types = line.partition(" - ")
        parts = fields.split()
        if not dash or len(parts) < 5 or not types.split():
            continue
        point = PurePosixPath(_decode_escapes(parts[4]))
        if path.is_relative_to(point) and len(point.parts) >= nearest:
            nearest, kind = len(point.parts), types.split()[0]
    return kind


def _decode_escapes(text: str) -> str:
    """Return a path of mountinfo with its spaces, tabs, ends of line and backslashes."""
    for code, sign in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, sign)
    return text


def _find_remote_drive(path: Path) -> str:
    import ctypes

    if path.drive.startswith("\\\\"):
        return "smb"
    library = getattr(ctypes, "windll").kernel32  # noqa: B009 - only Windows has it
    return "smb" if library.GetDriveTypeW(f"{path.drive}\\") == _REMOTE_DRIVE else ""


def _find_remote_volume(path: Path) -> str:
    import ctypes

    existing = next(folder for folder in (path, *path.parents) if folder.exists())
    file_system = ctypes.create_string_buffer(_STATFS_SIZE)
    if ctypes.CDLL(None).statfs(os.fsencode(existing), file_system) != 0:
        return ""
    flags = int.from_bytes(file_system.raw[_FLAGS_AT : _FLAGS_AT + 4], sys.byteorder)
    name = (
        file_system.raw[_NAME_AT : _NAME_AT + _NAME_LENGTH]
        .split(b"\0")[0]
        .decode("ascii", "replace")
    )
    return "" if flags & _LOCAL_FLAG else name or "network"
