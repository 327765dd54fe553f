"""Starts the dispatcher of the NNI that is installed: ``python3 -m orrery_algorithms.stock STDOUT_FILE WAY PARAMETERS``.

``WAY`` is ``pipes`` for NNI before 2.8, which reads commands from descriptor 3 and writes them to 4, else ``socket``.
``PARAMETERS`` goes to NNI as it is. The guard stays above it; this process becomes NNI's.
"""

import os
import sys

from . import guard


def _without_ours(path):
    """PYTHONPATH without the folders that hold this file and our own ``nni``: it is the other one that is to be found."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    ours = (here, os.path.join(here, 'compat'))
    return os.pathsep.join(entry for entry in path.split(os.pathsep) if entry not in ours)


def main():
    stdout, way, parameters = sys.argv[1:]
    guard.fork()
    if way == 'pipes':
        os.dup2(0, 3)
        os.dup2(1, 4)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    file = os.open(stdout, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    os.dup2(file, 1)
    os.close(file)
    path = _without_ours(os.environ.get('PYTHONPATH', ''))
    if path:
        os.environ['PYTHONPATH'] = path
    else:
        os.environ.pop('PYTHONPATH', None)
    os.execv(sys.executable, [sys.executable, '-m', 'nni', '--exp_params', parameters])


main()
