"""Finds the user's class, and makes an algorithm of it."""

import importlib
import sys

from .advisor import Advisor
from .assessor import Assessor
from .threaded_tuner import ThreadedTuner
from .tuner import Tuner


def make(kind, class_name, code_directory, class_args, multi_thread=False):
    """An instance of ``module.Class``, dressed for the host.

    ``kind`` is what the configuration takes it for: ``tuner``, ``assessor`` or ``advisor``. ``multi_thread`` has a tuner
    make each parameter set in a thread of its own.
    """
    if code_directory:
        sys.path.insert(0, code_directory)
    module_name, dot, name = class_name.rpartition('.')
    if not dot:
        raise ValueError('className must be module.Class, not %r' % class_name)
    users_class = getattr(importlib.import_module(module_name), name)
    if kind == 'assessor':
        _require(users_class, 'assess_trial', 'an assessor')
        return Assessor(users_class(**class_args))
    if kind == 'advisor':
        _require(users_class, 'handle_request_trial_jobs', 'an advisor')
        return Advisor(lambda: users_class(**class_args))
    if hasattr(users_class, 'handle_request_trial_jobs'):
        raise TypeError('%s is an advisor: it belongs under the key advisor, not %s' % (class_name, kind))
    _require(users_class, 'generate_parameters', 'a tuner')
    return (ThreadedTuner if multi_thread else Tuner)(users_class(**class_args))


def _require(users_class, method, what):
    if not hasattr(users_class, method):
        raise TypeError('%s is not %s: it has no %s' % (users_class.__name__, what, method))
