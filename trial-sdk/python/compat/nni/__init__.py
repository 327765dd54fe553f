"""The ``nni`` of Orrery: what code written for NNI needs of that package, where it is not installed.

Trial code finds the functions of ``nni.trial`` here, a user's own algorithm what it derives from and imports. The server
puts the folder above first on PYTHONPATH, because installed packages always come after it. So this module first looks for
another ``nni``, installed or beside the user's code, and steps aside for it.
"""

from . import _elsewhere

_other = _elsewhere.find()
if _other is not None:
    _elsewhere.become(_other)
else:
    from . import utils
    from .trial import *

    # The release of NNI whose interface this is, with a local version label that tells it from the original.
    __version__ = '3.0+orrery'

    # Trials have no use for these, and their start is not to wait for them.
    _FOR_ALGORITHMS = {
        'NoMoreTrialError': 'tuner',
        'ClassArgsValidator': 'utils',
        'dump': 'common.serializer',
        'load': 'common.serializer',
        'parameter_expressions': None,
    }

    _SMART_PARAMETERS = frozenset((
        'choice', 'randint', 'uniform', 'quniform', 'loguniform', 'qloguniform', 'normal', 'qnormal', 'lognormal',
        'qlognormal', 'function_choice'))

    def __getattr__(name):
        if name in _SMART_PARAMETERS:
            from . import smart_parameters
            return getattr(smart_parameters, name)
        if name in _FOR_ALGORITHMS:
            from importlib import import_module
            module = _FOR_ALGORITHMS[name]
            return import_module('nni.' + name) if module is None else getattr(import_module('nni.' + module), name)
        raise AttributeError("Orrery's own nni has no %r: it holds what trials and algorithms of one's own need, and "
                             'steps aside when the nni package is installed' % name)
