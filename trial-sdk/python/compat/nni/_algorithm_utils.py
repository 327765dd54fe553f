"""The part of ``nni.utils`` that algorithms use."""

from enum import Enum

__all__ = ['ClassArgsValidator', 'MetricType', 'NodeType', 'OptimizeMode', 'convert_dict2tuple', 'extract_scalar_history',
           'extract_scalar_reward']


class OptimizeMode(Enum):
    """Whether a lower result is better, or a higher one."""

    Minimize = 'minimize'
    Maximize = 'maximize'


class MetricType:
    """Kinds of results."""

    PERIODICAL = 'PERIODICAL'
    FINAL = 'FINAL'
    REQUEST_PARAMETER = 'REQUEST_PARAMETER'


class NodeType:
    """Keys within a search space."""

    ROOT = 'root'
    TYPE = '_type'
    VALUE = '_value'
    INDEX = '_index'
    NAME = '_name'


def extract_scalar_reward(value, scalar_key='default'):
    """The number of a result: itself, or the entry ``default``. RuntimeError: it has none."""
    number = value.get(scalar_key) if isinstance(value, dict) else value
    if isinstance(number, (int, float)):
        return number
    raise RuntimeError('a result must be a number, or a dict whose %r is one; this is %r' % (scalar_key, value))


def extract_scalar_history(trial_history, scalar_key='default'):
    """The numbers of a list of results."""
    return [extract_scalar_reward(value, scalar_key) for value in trial_history]


def convert_dict2tuple(value):
    """A dict as something that can be the key of another one; changes lists and dicts within it."""
    if isinstance(value, dict):
        return tuple(sorted((key, convert_dict2tuple(entry)) for key, entry in value.items()))
    if isinstance(value, list):
        return tuple(convert_dict2tuple(entry) for entry in value)
    return value


class ClassArgsValidator:
    """Checks the classArgs of an algorithm that is registered; one that is named by its class checks them itself."""

    def validate_class_args(self, **kwargs):
        pass

    # The three below build checks of the package schema, as NNI's do.

    def choice(self, key, *args):
        """One of several values."""
        from schema import And
        return And(lambda value: value in args, error='%s must be one of %s' % (key, ', '.join(map(repr, args))))

    def range(self, key, keyType, start, end):
        """A value of a type between two bounds, both included."""
        from schema import And
        return And(And(keyType, error='%s must be of type %s' % (key, keyType.__name__)),
                   And(lambda value: start <= value <= end, error='%s must lie in [%s, %s]' % (key, start, end)))

    def path(self, key):
        """A path that exists."""
        import os
        from schema import And
        return And(os.path.exists, error='%s must be a path that exists' % key)
