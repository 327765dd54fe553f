"""The server as a keeper sees it: calls that are repeated until they are answered.

Proxies of the environment are not used: the URL names the server that the token is for.
"""

import json
import random
import threading
import time
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

_FIRST_PAUSE = 0.2
LONGEST_PAUSE = 15.0
_SLICE = 0.5
_NOT_NOW = (408, 429, 500, 502, 503, 504)


class Unreachable(OSError):
    """No answer, or one that says "not now"."""


class Refused(Exception):
    """An answer that repeating does not change."""

    def __init__(self, status, detail):
        super().__init__('%s (status %d)' % (detail, status))
        self.status = status


class Server:
    """One server. Every thread has a connection of its own, kept as long as it works."""

    def __init__(self, url, token):
        parts = urlsplit(url)
        self._kind = HTTPSConnection if parts.scheme == 'https' else HTTPConnection
        self._host = parts.hostname
        self._port = parts.port
        self._base = parts.path.rstrip('/')
        self._headers = {'Authorization': 'Bearer ' + token}
        self._mine = threading.local()

    def call(self, method, path, body=None, kind='application/json', within=60.0):
        """The body of one answer. Unreachable; Refused."""
        connection = getattr(self._mine, 'connection', None)
        fresh = connection is None
        if fresh:
            connection = self._kind(self._host, self._port, timeout=within)
            self._mine.connection = connection
        elif connection.sock is not None:
            connection.sock.settimeout(within)
        try:
            headers = dict(self._headers)
            if body is not None:
                headers['Content-Type'] = kind
            connection.request(method, self._base + path, body, headers)
            response = connection.getresponse()
            text = response.read()
        except (OSError, HTTPException) as error:
            self.hang_up()
            if not fresh:
                # The server may have closed a connection that was idle: that is no sign of anything.
                return self.call(method, path, body, kind, within)
            raise Unreachable(str(error) or type(error).__name__)
        if response.status in _NOT_NOW:
            raise Unreachable('status %d' % response.status)
        if response.status >= 300:
            raise Refused(response.status, _detail(text))
        return text

    def ask(self, method, path, question=None, within=60.0):
        """The same with JSON, or nothing, both ways."""
        body = None if question is None else json.dumps(question).encode('ascii')
        text = self.call(method, path, body, within=within)
        return json.loads(text.decode('utf-8')) if text else {}

    def stream(self, path, into, within=60.0):
        """Copies an answer to a file. Unreachable, when it does not come whole; Refused."""
        connection = self._kind(self._host, self._port, timeout=within)
        try:
            connection.request('GET', self._base + path, headers=self._headers)
            response = connection.getresponse()
            if response.status in _NOT_NOW:
                raise Unreachable('status %d' % response.status)
            if response.status != 200:
                raise Refused(response.status, _detail(response.read(65536)))
            while True:
                piece = response.read(1 << 18)
                if not piece:
                    return
                into.write(piece)
        except (OSError, HTTPException) as error:
            raise Unreachable(str(error) or type(error).__name__)
        finally:
            connection.close()

    def hang_up(self):
        """Closes this thread's connection."""
        connection = getattr(self._mine, 'connection', None)
        self._mine.connection = None
        if connection is not None:
            connection.close()


class Pause:
    """Ever longer waits, until something works again. Those who lost the server together do not come back together."""

    def __init__(self, longest=LONGEST_PAUSE):
        self._length = _FIRST_PAUSE
        self._longest = longest

    def take(self, until=None):
        """Waits, but not beyond the monotonic time ``until()``, which may come nearer meanwhile."""
        end = time.monotonic() + self._length * random.uniform(0.5, 1.0)
        self._length = min(self._length * 2, self._longest)
        while True:
            left = (end if until is None else min(end, until())) - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(left, _SLICE))

    def reset(self):
        self._length = _FIRST_PAUSE


def insist(call, until, longest=LONGEST_PAUSE):
    """Repeats a call while the server cannot be reached and ``until()``, a monotonic time, has not come.

    ``longest``: seconds between two calls.
    """
    pause = Pause(longest)
    while True:
        try:
            return call()
        except Unreachable:
            if until() <= time.monotonic():
                raise
            pause.take(until)


def _detail(text):
    try:
        return str(json.loads(text.decode('utf-8'))['detail'])[:500]
    except (ValueError, KeyError, TypeError):
        return text[:200].decode('utf-8', 'replace').strip() or 'refused'
