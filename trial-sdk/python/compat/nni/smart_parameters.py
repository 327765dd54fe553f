"""``nni.choice(0.1, 0.01, name='lr')`` and its kin: parameters that a script asks for where it needs them (NNI before 2.1).

In a trial each gives the value of its name. When ``nnictl ss_gen`` runs the script, which sets NNI_GEN_SEARCH_SPACE to the
name of a file, each writes what it may be into that file and gives one such value. Outside of both it gives one, too.
"""

import json
import math
import os

__all__ = ['choice', 'randint', 'uniform', 'quniform', 'loguniform', 'qloguniform', 'normal', 'qnormal', 'lognormal',
           'qlognormal', 'function_choice']

_space = {}


def choice(*options, name=None):
    """One of the options, which are numbers, texts, booleans or None."""
    return _value('choice', list(options), name, lambda: options[0])


def randint(lower, upper, name=None):
    """An integer of [lower, upper)."""
    return _value('randint', [lower, upper], name, lambda: lower)


def uniform(low, high, name=None):
    return _value('uniform', [low, high], name, lambda: (low + high) / 2)


def quniform(low, high, q, name=None):
    return _value('quniform', [low, high, q], name, lambda: low)


def loguniform(low, high, name=None):
    return _value('loguniform', [low, high], name, lambda: math.sqrt(low * high))


def qloguniform(low, high, q, name=None):
    return _value('qloguniform', [low, high, q], name, lambda: low)


def normal(mu, sigma, name=None):
    return _value('normal', [mu, sigma], name, lambda: mu)


def qnormal(mu, sigma, q, name=None):
    return _value('qnormal', [mu, sigma, q], name, lambda: round(mu / q) * q)


def lognormal(mu, sigma, name=None):
    return _value('lognormal', [mu, sigma], name, lambda: math.exp(mu))


def qlognormal(mu, sigma, q, name=None):
    return _value('qlognormal', [mu, sigma, q], name, lambda: round(math.exp(mu) / q) * q)


def function_choice(*functions, name=None):
    """What one of the functions returns, which are called without arguments; the search chooses by their names."""
    names = [function.__name__ for function in functions]
    chosen = _value('choice', names, name, lambda: names[0])
    return functions[names.index(chosen)]()


def _value(kind, arguments, name, standard):
    if not isinstance(name, str) or not name:
        raise ValueError('a parameter needs a name: nni.%s(..., name=\'lr\')' % kind)
    file = os.environ.get('NNI_GEN_SEARCH_SPACE')
    if file:
        _write(file, name, {'_type': kind, '_value': arguments})
        return standard()
    from . import trial
    parameters = trial.get_current_parameter()
    if parameters is None and os.environ.get('NNI_PLATFORM', 'unittest') != 'unittest':
        parameters = trial.get_next_parameter()
    if not parameters:
        return standard()
    if name not in parameters:
        raise KeyError('this trial has no parameter %r: the search space lacks it' % name)
    return parameters[name]


def _write(file, name, spec):
    if _space.get(name, spec) != spec:
        raise ValueError('two parameters are called %r' % name)
    _space[name] = spec
    with open(file, 'w', encoding='utf-8') as out:
        json.dump(_space, out, indent=4)
        out.write('\n')
