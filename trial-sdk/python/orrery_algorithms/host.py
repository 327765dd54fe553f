"""The protocol: one line of JSON in, one line of JSON out, until the server closes its end.

A question is ``{"do": NAME, …}``; the answer is ``{"ok": …}``, or ``{"error": TEXT}`` when the user's code raised. After an
error the server trusts this process no more and ends it.
"""

import json
import os
import sys
import traceback

from . import failure, users_class


class Lines:
    """The server's two pipes, put where the user's code cannot write between the lines by accident."""

    def __init__(self):
        self._questions = os.fdopen(os.dup(0), 'r', encoding='utf-8', newline='\n')
        self._answers = os.fdopen(os.dup(1), 'w', encoding='utf-8', newline='\n')

    def next(self):
        """The next question; None when there will be none."""
        line = self._questions.readline()
        return json.loads(line) if line.endswith('\n') else None

    def answer(self, answer):
        text = json.dumps(answer, default=_plain)
        self._answers.write(text + '\n')
        self._answers.flush()


def _plain(value):
    """What NumPy's scalars and arrays are in JSON, and numbers of other types: Decimal, Fraction, a long double."""
    plain = value.tolist() if hasattr(value, 'tolist') else value
    if plain is not value and not hasattr(plain, 'tolist'):
        return plain
    if hasattr(type(plain), '__float__'):
        return float(plain)
    raise TypeError('%r is not JSON: parameters are numbers, text, booleans, None, lists and dicts' % (value,))


def serve(lines, stdout):
    """Answers questions until there are no more; what the user's code prints is appended to the file ``stdout``."""
    _give_away_standard_streams(stdout)
    session = _Session()
    while True:
        question = lines.next()
        if question is None:
            return
        try:
            lines.answer({'ok': session.answer(question)})
        except BaseException as error:  # SystemExit as well: the server is to know why
            traceback.print_exc()
            lines.answer({'error': failure.in_a_line(error)})


def _give_away_standard_streams(stdout):
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    file = os.open(stdout, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    os.dup2(file, 1)
    os.close(file)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, 'reconfigure'):
            stream.reconfigure(line_buffering=True)


class _Session:
    """One algorithm; the questions are the methods that have no underscore before them."""

    _QUESTIONS = frozenset(('open', 'unfinished', 'import_data', 'suggest', 'thinking', 'result', 'assess', 'past', 'ended'))

    def __init__(self):
        self._algorithm = None

    def answer(self, question):
        name = question.pop('do')
        if name not in self._QUESTIONS:
            raise ValueError('no question is called %r' % name)
        method = self._open if name == 'open' else getattr(self._algorithm, name)
        return method(**question)

    def _open(self, kind, class_name, code_directory, class_args, space, resumed, multi_thread=False):
        self._algorithm = users_class.make(kind, class_name, code_directory, class_args, multi_thread)
        self._algorithm.begin(space, resumed)
