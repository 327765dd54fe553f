"""Finds the ``nni`` that the user installed or wrote, wherever it stands behind this stand-in.

This file is also the mark by which a stand-in knows another one: with two Orrery folders on the path, each would
otherwise take the other for the real ``nni``, and step aside for ever.
"""

import os
import sys
from importlib.machinery import PathFinder


def find():
    """The module spec of another importable ``nni``, or None. Asks every finder, as editable installs bring their own."""
    behind = [entry for entry in sys.path if not _holds_stand_in(entry)]
    for finder in sys.meta_path:
        if finder is PathFinder:
            spec = PathFinder.find_spec('nni', behind)
        elif hasattr(finder, 'find_spec'):
            spec = finder.find_spec('nni', None)
        else:
            spec = None
        # A folder that merely is called nni (logs, results) makes a namespace package, which has no origin.
        if spec is not None and spec.origin is not None:
            return spec
    return None


def become(spec):
    """Puts the module of the spec in the place of the stand-in, under its own name, and runs it."""
    from importlib.util import module_from_spec
    module = module_from_spec(spec)
    # The import system hands out what it finds here when the stand-in's code has ended.
    sys.modules['nni'] = module
    del sys.modules[__name__]
    spec.loader.exec_module(module)


def _holds_stand_in(entry):
    return os.path.isfile(os.path.join(entry or os.curdir, 'nni', '_elsewhere.py'))
