"""A trial that evaluates a function: ``python3 -m orrery.function_trial FILE_OR_MODULE FUNCTION``.

A file is run as a module that is not the main one, up to its first call of ``orrery.search``: what the function needs is
defined by then, and the search is not begun again.
"""

import importlib
import os
import sys
import types

from . import objectives, searching


def load(where, name):
    """The function of a name in a file or module."""
    if where.endswith('.py'):
        module = _run(where)
    else:
        module = importlib.import_module(where)
    function = module
    for part in name.split('.'):
        function = getattr(function, part)
    return function


def _run(path):
    # The name that multiprocessing has for it: a part below "if __name__ == '__main__'" does not run.
    module = types.ModuleType('__mp_main__')
    module.__file__ = os.path.abspath(path)
    sys.modules['__main__'] = sys.modules['__mp_main__'] = module
    sys.path.insert(0, os.path.dirname(module.__file__))
    with open(path, 'rb') as file:
        code = compile(file.read(), module.__file__, 'exec')
    searching.stop_at_call()
    try:
        exec(code, module.__dict__)
    except searching.SearchReached:
        pass
    return module


def main(where, name):
    import nni
    objective = load(where, name)
    nni.report_final_result(objectives.plain(objective(nni.get_next_parameter())))


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2])
