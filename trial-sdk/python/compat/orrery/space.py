"""The parameters of a search: each is one of these, a list to choose from, or NNI's own form."""


def uniform(low, high):
    """A real number from ``low`` to ``high``."""
    return _sampled('uniform', _ordered(low, high))


def quniform(low, high, step):
    """A multiple of ``step`` from ``low`` to ``high``."""
    return _sampled('quniform', _ordered(low, high) + [step])


def loguniform(low, high):
    """A positive number from ``low`` to ``high``, each order of magnitude as likely as the next."""
    if low <= 0:
        raise ValueError('loguniform needs a positive low, not %r' % (low,))
    return _sampled('loguniform', _ordered(low, high))


def normal(mean, deviation):
    """A real number around ``mean``."""
    return _sampled('normal', [mean, deviation])


def integer(low, high):
    """A whole number from ``low`` to ``high``, both included."""
    if int(low) != low or int(high) != high:
        raise ValueError('integer needs whole numbers, not %r and %r' % (low, high))
    _ordered(low, high + 1)
    return _sampled('randint', [int(low), int(high) + 1])


def choice(*values):
    """One of some values."""
    if not values:
        raise ValueError('choice needs a value at least')
    return _sampled('choice', list(values))


def as_json(space):
    """A space as the server takes it. ValueError names a parameter that is none."""
    if not isinstance(space, dict) or not space:
        raise ValueError("a space is a dict such as {'x': orrery.uniform(0, 1)}")
    return {str(name): _parameter(name, value) for name, value in space.items()}


def _parameter(name, value):
    if isinstance(value, dict) and '_type' in value and '_value' in value:
        return value
    if isinstance(value, (list, tuple)) and value:
        return choice(*value)
    raise ValueError("parameter %r is %r: use orrery.uniform, loguniform, integer, choice …, or a list of values"
                     % (name, value))


def _sampled(kind, values):
    return {'_type': kind, '_value': values}


def _ordered(low, high):
    if not low < high:
        raise ValueError('low must be less than high, not %r and %r' % (low, high))
    return [low, high]
