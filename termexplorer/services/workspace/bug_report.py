"""What can be told of an error of ours without telling what somebody worked on."""

import traceback
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from termexplorer.workers.process.bug_place import FOLDER, locate_bug, shorten_place

__all__ = ["bug_report", "crash_report", "locate_bug"]


def bug_report(kind: type[BaseException], trace: TracebackType | None) -> str:
    """The kind of an error, where it came from, and the versions; its message may hold terms."""
    lines = [
        *_describe_versions(),
        f"at: {datetime.now(UTC).isoformat(timespec='seconds')}",
        "",
        "from:",
    ]
    lines += [
        f"  {shorten_place(frame.filename)}:{frame.lineno} in {frame.name}"
        for frame in traceback.extract_tb(trace)
    ]
    return "\n".join([*lines, f"{kind.__module__}.{kind.__qualname__}"])


def crash_report(file: Path) -> str:
    """What the last window left in a file when it crashed, with versions; "" if it did not."""
    try:
        left = file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
    if not left:
        return ""
    report_text = left.replace(f"{FOLDER}/", "").replace(str(Path.home()), "~")
    return "\n".join([*_describe_versions(), "", report_text])


def _describe_versions() -> list[str]:
    # with much of the program and SQLAlchemy, which a window that looks for a crash can do without
    from termexplorer.services.workspace.diagnosis import versions

    return [f"{name}: {value}" for name, value in versions().items()]
