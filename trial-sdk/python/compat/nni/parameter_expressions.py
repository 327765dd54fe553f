"""``nni.parameter_expressions``: one draw of each kind of parameter.

``random_state`` is a ``numpy.random.RandomState``, or NumPy's newer Generator. Rounding is to even, to multiples of q
from zero, and clipped last. A multiple is the float nearest to the decimal: three times 0.1 is 0.3.
"""

import math
from fractions import Fraction

__all__ = ['choice', 'randint', 'uniform', 'quniform', 'loguniform', 'qloguniform', 'normal', 'qnormal', 'lognormal',
           'qlognormal']


def choice(options, random_state):
    """One of the options."""
    return options[randint(0, len(options), random_state)]


def randint(lower, upper, random_state):
    """An integer of [lower, upper)."""
    draw = random_state.integers if hasattr(random_state, 'integers') else random_state.randint
    return int(draw(lower, upper))


def uniform(low, high, random_state):
    if high <= low:
        raise ValueError('high must be above low, not %r and %r' % (high, low))
    return random_state.uniform(low, high)


def quniform(low, high, q, random_state):
    return _clipped(_rounded(uniform(low, high, random_state), q), low, high)


def loguniform(low, high, random_state):
    if low <= 0:
        raise ValueError('low must be above 0, not %r' % low)
    return math.exp(uniform(math.log(low), math.log(high), random_state))


def qloguniform(low, high, q, random_state):
    return _clipped(_rounded(loguniform(low, high, random_state), q), low, high)


def normal(mu, sigma, random_state):
    return random_state.normal(mu, sigma)


def qnormal(mu, sigma, q, random_state):
    return _rounded(normal(mu, sigma, random_state), q)


def lognormal(mu, sigma, random_state):
    return math.exp(normal(mu, sigma, random_state))


def qlognormal(mu, sigma, q, random_state):
    return _rounded(lognormal(mu, sigma, random_state), q)


def _rounded(value, q):
    return float(round(value / q) * Fraction(repr(float(q))))


def _clipped(value, low, high):
    return min(max(value, low), high)
