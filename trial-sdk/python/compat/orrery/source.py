"""The text of functions, for programs that run elsewhere."""

import inspect
import re
import textwrap


def text_of(function):
    """The text of a function, without its decorators. ValueError when it uses what is not in its text or has none."""
    name = getattr(function, '__name__', repr(function))
    if getattr(function, '__closure__', None):
        raise ValueError('%s uses %s from around it: give them as arguments'
                         % (name, ', '.join(function.__code__.co_freevars)))
    try:
        lines = textwrap.dedent(inspect.getsource(function)).splitlines(True)
    except (OSError, TypeError):
        raise ValueError('the text of %s cannot be found' % name) from None
    while lines and not re.match(r'(async\s+)?def\s', lines[0]):
        del lines[0]
    if not lines:
        raise ValueError('%s is no function with a def' % name)
    return ''.join(lines)
