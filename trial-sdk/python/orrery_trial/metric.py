"""What a trial may report, and how it is written: the value of a result, and the record that carries it."""

import json
import warnings

# A record announces its length in six digits; peers refuse a million bytes and more.
RECORD_LIMIT = 1000000
_FRAME = len('ME000000') + len('\n')

_FINAL_BY_NAME = 'it counts where objectives of the experiment have the names of its keys.'
_INTERMEDIATE_BY_NAME = 'it is drawn, but neither compared nor assessed.'


def encode(metric, is_final):
    """The JSON text of a metric; numbers of numpy, PyTorch, TensorFlow, decimal and fractions become plain ones, NaN and
    Infinity stay bare.

    The server judges by the same rule: a metric is a number, or a dict whose ``default``, if it has one, is a number.
    A dict without ``default`` is encoded with a RuntimeWarning that says what it counts for. Anything else is a
    ValueError when it is final; an intermediate one is encoded as it is, with a RuntimeWarning, since NNI lets such
    trials go on. TypeError when it is not JSON.
    """
    plain = metric
    number = _number(metric.get('default') if isinstance(metric, dict) else metric)
    if isinstance(metric, dict) and 'default' not in metric:
        warnings.warn('this result is a dict without "default" (its keys: %s): %s'
                      % (', '.join(map(str, metric)) or 'none', _FINAL_BY_NAME if is_final else _INTERMEDIATE_BY_NAME),
                      RuntimeWarning, stacklevel=5)
    elif number is None:
        complaint = ('a result must be a number, or a dict whose "default", if it has one, is a number; this one is '
                     + _describe(metric))
        if is_final:
            raise ValueError(complaint)
        warnings.warn(complaint + '. The server does not keep it.', RuntimeWarning, stacklevel=5)
    elif isinstance(metric, dict):
        plain = dict(metric)
        plain['default'] = number
    else:
        plain = number
    try:
        return json.dumps(plain, default=_to_plain)
    except TypeError as error:
        raise TypeError('a result must be JSON (numbers, strings, lists, dicts): %s' % error) from None


def to_record(payload):
    """The JSON text, pure ASCII, of a metric payload. ValueError names the size of one that no transport takes."""
    text = json.dumps(payload)
    size = len(text) + _FRAME
    if size >= RECORD_LIMIT:
        raise ValueError('a result takes %d bytes when written, but must stay below %d: '
                         'report numbers, and write larger output to a file' % (size, RECORD_LIMIT))
    return text


def _number(value):
    """The int or float that a value stands for, or None; True and False stand for 1 and 0."""
    if not isinstance(value, (int, float)):
        if _offers(value, 'numpy') and not _offers(value, 'item'):
            value = value.numpy()
        if _offers(value, 'item'):
            try:
                value = value.item()
            except (ValueError, RuntimeError):
                # An array of several elements stands for no number.
                return None
    if isinstance(value, bool):
        return int(value)
    return value if isinstance(value, (int, float)) else _as_float(value)


def _as_float(value):
    """The float that a number of another type is: Decimal, Fraction, a long double; None when it is no number, or too large."""
    if not hasattr(type(value), '__float__'):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _to_plain(value):
    """An array, tensor or scalar of a numeric library as plain Python, recognised by its methods: nothing is imported."""
    if _offers(value, 'numpy') and not _offers(value, 'tolist'):
        value = value.numpy()
    plain = value.tolist() if _offers(value, 'tolist') else value
    if plain is not value and not _offers(plain, 'tolist'):
        return plain
    number = _as_float(plain)
    if number is not None:
        return number
    raise TypeError('it contains an object of type %s' % type(value).__name__)


def _offers(value, method):
    return callable(getattr(value, method, None))


def _describe(metric):
    if not isinstance(metric, dict):
        return 'of type %s' % type(metric).__name__
    return 'a dict whose "default" is of type %s' % type(metric['default']).__name__
