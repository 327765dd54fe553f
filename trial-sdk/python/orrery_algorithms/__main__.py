"""The program: ``python3 -m orrery_algorithms STDOUT_FILE``, with the server at both ends of the standard streams."""

import os
import sys

from . import guard


def main():
    guard.fork()
    # Imported behind the fork: the guard stays as small as an interpreter can be.
    from . import host
    # What belongs to the host must not hide modules of the user's own.
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path[:] = [entry for entry in sys.path[1:] if os.path.abspath(entry or os.curdir) != here]
    host.serve(host.Lines(), sys.argv[1])


main()
