"""Has the children of this process keep the priority of the tests, which wait for them.

Users' children run when nothing else wants to. What CI makes beside the tests would starve them.
"""

from termexplorer.workers import child

child._go_behind = lambda: None
