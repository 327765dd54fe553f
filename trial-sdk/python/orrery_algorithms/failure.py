"""What a user's code raised, in a line for people who read it far from the traceback."""

import os
import traceback

_OURS = os.path.dirname(os.path.abspath(__file__))
_LONGEST = 500


def in_a_line(error):
    """``ValueError: bad, at File "tuner.py", line 7, in generate_parameters: x = 1 / 0``."""
    message = ''.join(traceback.format_exception_only(type(error), error)).strip()
    lines = [line for line in message.splitlines() if line.strip()] or [type(error).__name__]
    theirs = [frame for frame in traceback.extract_tb(error.__traceback__) if not _is_ours(frame.filename)]
    if theirs and not isinstance(error, SyntaxError):
        last = theirs[-1]
        message = '%s, at File "%s", line %d, in %s: %s' % (
            lines[0], os.path.basename(last.filename), last.lineno, last.name, last.line)
    return message.replace('\n', ' ')[:_LONGEST]


def _is_ours(filename):
    return os.path.dirname(os.path.abspath(filename)) == _OURS or filename.startswith('<frozen')
