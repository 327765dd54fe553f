"""Sends the code of a search to a server elsewhere: into the files of its user, by content, so that it is sent once."""

import hashlib
import inspect
import os
import shlex
import sys
from urllib.parse import quote, urlsplit

from . import source

_PLACE = '.orrery/code'
_COMPLETE = '.complete'
_LEFT_OUT = ('.git', '__pycache__', '.ipynb_checkpoints', _COMPLETE)
_MOST_FILES = 1000
_MOST_BYTES = 100 << 20


def is_elsewhere(server):
    """Whether a server is on another machine, as far as its address says."""
    host = urlsplit(server.url).hostname or ''
    return not (host == 'localhost' or host.endswith('.localhost') or host == '::1' or host.startswith('127.'))


class Shipment:
    """What trials elsewhere need.

    command  what a trial runs in the directory
    files    the bytes of each file by its path in the directory
    """

    def __init__(self, command, files):
        self.command = command
        self.files = files

    def send(self, server):
        """Uploads what is not there yet; answers with the directory as programs of the server see it."""
        digest = hashlib.sha256()
        for path, data in sorted(self.files.items()):
            digest.update(('%s\0%d\0' % (path, len(data))).encode())
            digest.update(data)
        user = server.call('GET', '/api/v1/me')['user']
        place = '%s/%s' % (_PLACE, digest.hexdigest()[:32])
        at = '/api/v1/files/%s/%s/' % (quote(user, safe=''), place)
        try:
            server.call('GET', at + _COMPLETE, stat='true')
        except RuntimeError:
            for path, data in sorted(self.files.items()):
                server.call('PUT', at + quote(path), data, 'application/octet-stream')
            # The last: a directory without it was not sent to its end.
            server.call('PUT', at + _COMPLETE, b'', 'application/octet-stream')
        shown = server.call('GET', '/api/v1/files/' + quote(user, safe=''), limit=1)['path']
        return '%s/%s' % (shown.rstrip('/'), place)


def of_command(command, code):
    """A command with the directory that it runs in."""
    return Shipment(command, _files_of(code))


def of_function(function, code=None, python='python3'):
    """A function with the file that it is written in, or with the directory ``code`` that holds this file.

    A trial runs the file up to its call of ``orrery.search``. A function that was typed into a notebook or a shell is taken
    as it is written, and uses nothing from around it. ValueError says why it cannot be sent.
    """
    name = getattr(function, '__qualname__', None)
    module = sys.modules.get(getattr(function, '__module__', None))
    if name is None or module is None:
        raise ValueError('%r cannot be sent to a server elsewhere: give a function with a def' % (function,))
    file = getattr(module, '__file__', None)
    if file is None or not os.path.exists(file) or _is_typed(function):
        files = {} if code is None else _files_of(code)
        files['objective_of_search.py'] = b'import orrery\n' + source.text_of(function).encode()
        return _evaluating(python, 'objective_of_search.py', function.__name__, files)
    if '<' in name or getattr(module, name.split('.')[0], None) is None:
        raise ValueError('%s cannot be sent to a server elsewhere: define it by a def at the top of its file' % name)
    file = os.path.realpath(file)
    parts = module.__name__.split('.')
    if module.__name__ == '__main__' or len(parts) == 1 and not _is_package(file):
        root = os.path.realpath(code or os.path.dirname(file))
        what = os.path.relpath(file, root)
        if what.startswith(os.pardir):
            raise ValueError('code is %s, and %s with the objective is not in it' % (root, file))
    else:
        root = os.path.dirname(file)
        for _ in parts if _is_package(file) else parts[1:]:
            root = os.path.dirname(root)
        what = module.__name__
        if code is None or os.path.realpath(code) != root:
            raise ValueError('the objective is in the package %s: give code=%r, the directory that holds it' % (parts[0], root))
    if code is None:
        with open(file, 'rb') as script:
            files = {os.path.basename(file): script.read()}
    else:
        files = _files_of(root)
    return _evaluating(python, what, name, files)


def _is_package(file):
    return os.path.basename(file) == '__init__.py'


def _is_typed(function):
    """Whether a function was typed into a notebook or a shell."""
    try:
        return not os.path.exists(inspect.getsourcefile(function) or '')
    except TypeError:
        return False


def _evaluating(python, what, name, files):
    words = (python, '-m', 'orrery.function_trial', what, name)
    return Shipment(' '.join(map(shlex.quote, words)), files)


def _files_of(directory):
    files, total = {}, 0
    root = os.path.realpath(directory)
    if not os.path.isdir(root):
        raise ValueError('code is %s, which is no directory' % directory)
    for here, directories, names in os.walk(root):
        directories[:] = sorted(each for each in directories if each not in _LEFT_OUT)
        links = [each for each in directories if os.path.islink(os.path.join(here, each))]
        for name in links + sorted(set(names) - set(_LEFT_OUT)):
            path = os.path.join(here, name)
            if os.path.islink(path) or not os.path.isfile(path):
                raise ValueError('%s is no plain file: only files and directories are sent to a server elsewhere' % path)
            total += os.path.getsize(path)
            if total > _MOST_BYTES or len(files) == _MOST_FILES:
                raise ValueError('code is %s: more than %d files or %d MB are not sent; give a smaller directory'
                                 % (directory, _MOST_FILES, _MOST_BYTES >> 20))
            with open(path, 'rb') as file:
                files[os.path.relpath(path, root).replace(os.sep, '/')] = file.read()
    return files
