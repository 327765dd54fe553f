"""The server behind an experiment: found, or started, and asked over HTTP."""

import json
import os
import shutil
import subprocess
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import ProxyHandler, Request, build_opener

_TIMEOUT = 60.0
# The server is on this machine, or where a variable says: never behind a proxy of the environment.
_opener = build_opener(ProxyHandler({}))


class Server:
    """One server's addresses; ``token`` is shown to it when it asks for one."""

    def __init__(self, url, token=None):
        self.url = url.rstrip('/')
        self._token = token

    @property
    def port(self):
        """The port of its address."""
        parts = urlsplit(self.url)
        return parts.port or (443 if parts.scheme == 'https' else 80)

    def ready(self):
        """Whether an Orrery server answers there."""
        try:
            with _opener.open(Request(self.url + '/health/ready'), timeout=5) as response:
                return response.status == 200
        except OSError:
            return False

    headers = {}

    def call(self, method, path, body=None, content_type='application/json', **query):
        """The JSON of the answer, None for an empty one. RuntimeError says what the server found wrong.

        ``body`` is sent as JSON, bytes as they are.
        """
        text = self._answer(method, path, body, content_type, query).decode()
        return json.loads(text) if text else None

    def read(self, path):
        """The bytes of a file. RuntimeError says what the server found wrong."""
        return self._answer('GET', path, None, '', {})

    def _answer(self, method, path, body, content_type, query):
        address = self.url + path + ('?' + urlencode(query) if query else '')
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        headers = dict(self.headers) if data is None else dict(self.headers, **{'Content-Type': content_type})
        if self._token:
            headers['Authorization'] = 'Bearer ' + self._token
        try:
            with _opener.open(Request(address, data, headers, method=method), timeout=_TIMEOUT) as response:
                return response.read()
        except HTTPError as error:
            raise RuntimeError(_problem(error)) from None
        except URLError as error:
            raise ConnectionError('no server answers at %s: %s' % (self.url, error.reason)) from None


def find(port):
    """The server of this user's home, which is started at ``port`` when there is none.

    RuntimeError: there is none and the command that would start one is not known.
    """
    if os.environ.get('ORRERY_URL'):
        return Server(os.environ['ORRERY_URL'], os.environ.get('ORRERY_TOKEN'))
    known = _announced()
    if known is not None and known.ready():
        return known
    launcher = os.environ.get('ORRERY_LAUNCHER') or shutil.which('orrery')
    if launcher is None:
        raise RuntimeError('no Orrery server runs: start one with `orrery up --detach`, or put `orrery` on the PATH')
    subprocess.run([launcher, 'up', '--detach', '--port', str(port)], check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL)
    started = _announced()
    if started is None:
        raise RuntimeError('the server has started and is not announced in %s' % _home())
    return started


def lasting(server, path):
    """The server of this user's home, where it has the same thing at the path; else the one that is known."""
    known = _announced()
    if known is not None and known.url != server.url and known.ready():
        try:
            known.call('GET', path)
            return known
        except (OSError, RuntimeError, ValueError, HTTPException):  # it may be late, cut off, or no JSON
            pass
    return server


def _home():
    return os.environ.get('ORRERY_HOME') or os.path.expanduser('~/.orrery')


def _announced():
    try:
        with open(os.path.join(_home(), 'server.json')) as file:
            announced = json.load(file)
        return Server(announced['url'], os.environ.get('ORRERY_TOKEN') or announced.get('token'))
    except (OSError, ValueError, KeyError):
        return None


def _problem(error):
    text = error.read().decode('utf-8', 'replace')
    try:
        problem = json.loads(text)
    except ValueError:
        return '%s %s' % (error.code, text[:500])
    found = ['%s: %s' % (fault.get('pointer', ''), fault.get('message', '')) for fault in problem.get('errors', [])]
    return '\n'.join(found) or problem.get('error') or problem.get('detail') or text[:500]


def segment(text):
    """A text as one step of an address."""
    return quote(text, safe='')
