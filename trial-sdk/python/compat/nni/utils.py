"""Small things that trial code takes from ``nni.utils``, and, once they are asked for, those that algorithms take."""

__all__ = ['merge_parameter']


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    from . import _algorithm_utils
    return getattr(_algorithm_utils, name)


def merge_parameter(base_params, override_params):
    """Puts the parameters of a trial over defaults, such as parsed command line arguments; returns the defaults, changed.

    ``base_params``: a dict or an argparse namespace, changed in place. ``override_params``: a dict, or None for no change.
    An int becomes a float where the default is one; a default of None takes any type.

    ValueError: a parameter that has no default. TypeError: a parameter of another type than its default.
    In both cases nothing has changed.
    """
    is_dict = isinstance(base_params, dict)
    merged = {}
    for name, value in (override_params or {}).items():
        if name not in base_params if is_dict else not hasattr(base_params, name):
            raise ValueError('parameter %r has no default in base_params' % name)
        default = base_params[name] if is_dict else getattr(base_params, name)
        merged[name] = _of_type(default, name, value)
    if is_dict:
        base_params.update(merged)
    else:
        for name, value in merged.items():
            setattr(base_params, name, value)
    return base_params


def _of_type(default, name, value):
    if default is None or type(value) is type(default):
        return value
    if type(default) is float and type(value) is int:
        return float(value)
    raise TypeError('parameter %r must be of type %s, like its default, but is of type %s'
                    % (name, type(default).__name__, type(value).__name__))
