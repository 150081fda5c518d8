"""What the built program starts with."""

import multiprocessing

if __name__ == "__main__":
    multiprocessing.freeze_support()  # a child goes on from here, and imports nothing of ours
    from termexplorer.cli.main import run

    run()
