"""The program: without a command the window, with one a job on the command line."""

import gc
import io
import os
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from termexplorer.cli.display import check_display
from termexplorer.cli.failures import describe_os_error, refuse_without_window
from termexplorer.errors import StoppedError, UserError

_OPTION = "--workspace"
_OPTIONS = (_OPTION, "-w")
_BUG = "this is a bug of termexplorer, please report it: "
_OTHER_BYTES = (
    "a word of the command line is no text in UTF-8; write it so, or rename the file or folder"
)
_STOPPED = 130  # the exit code after Ctrl+C
_COMPLETION = "_TERMEXPLORER_COMPLETE"  # set by a shell that asks what words may go on with


def run() -> None:
    """What the console script calls: errors are one line, exit codes as the README says."""
    if getattr(sys, "frozen", False):
        import multiprocessing  # takes time, and nothing else needs it before a window shows

        multiprocessing.freeze_support()
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - closed
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # an ASCII terminal shows what it can
            stream.reconfigure(errors="backslashreplace")
    try:
        _run_words(sys.argv[1:])
    except StoppedError as error:
        sys.exit(_report_error(str(error), _STOPPED))
    except UserError as error:
        sys.exit(_report_error(str(error)))
    except KeyboardInterrupt:
        sys.exit(_report_error("stopped", _STOPPED))


def _run_words(words: list[str]) -> None:
    if f"{_OPTION}=" in words or any((option, "") in pairwise(words) for option in _OPTIONS):
        raise UserError(f"{_OPTION} names no folder; name one, or leave the option out")
    is_window = not words or (len(words) == 2 and words[0] in _OPTIONS)
    if is_window and _COMPLETION not in os.environ:
        # the window, without what only commands need: it should be there at once
        check_display("open the window on a desktop; `termexplorer --help` lists the commands")
        gc.disable()  # what is imported is no garbage, and looking through it takes a tenth
        with refuse_without_window():
            from termexplorer.app import run_window

        sys.exit(run_window(Path(words[1]) if words else None, demo=False))
    if words[:1] in (["train"], ["run"]) and "RANK" in os.environ:  # torchrun began this process
        from termexplorer.workers.train.ranks import is_further_rank, run_rank

        if is_further_rank():
            run_rank()
            return
    if words[:1] == ["judge"]:  # by itself, without what only other commands need
        from termexplorer.cli.judge import run_judge_alone

        _run_command(run_judge_alone)
    else:
        from termexplorer.cli.commands import app

        _run_command(app)


def _run_command(app: Callable[[], object]) -> None:
    from termexplorer.workers.process.bug_place import locate_bug, locate_crash
    from termexplorer.workers.process.supervision import Crashed

    try:
        with refuse_without_window():
            app()
    except SystemExit as end:
        if end.code == _STOPPED:  # typer has taken Ctrl+C, and says nothing
            raise KeyboardInterrupt from end
        raise
    except UserError:
        raise
    except Crashed as error:
        location = locate_crash(str(error))
        sys.exit(_report_error(_OTHER_BYTES if _is_of_words(location) else location))
    except BrokenPipeError:
        _leave_closed_output()
    except OSError as error:
        sys.exit(_report_error(describe_os_error(error)))
    except Exception as error:
        location = locate_bug(type(error), error.__traceback__)
        sys.exit(_report_error(_OTHER_BYTES if _is_of_words(location) else _BUG + location))


def _is_of_words(location: str) -> bool:
    """Return whether an error is of words of the command line whose bytes are no text."""
    return UnicodeEncodeError.__name__ in location and any(
        any("\ud800" <= sign <= "\udfff" for sign in word) for word in sys.argv
    )


def _leave_closed_output() -> None:
    """End quietly where whoever read the output has closed it, as `head` does."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())  # Python flushes it once more when it ends
    sys.exit(1)


def _report_error(message: str, code: int = 1) -> int:
    sys.stderr.write(f"termexplorer: {' '.join(message.split())}\n")
    return code
