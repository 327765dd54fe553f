"""The server as a keeper sees it: calls that are repeated until they are answered.

Where servers share their work each of them takes every call: who does not answer is left for the next one. Proxies of the
environment are not used: the URLs name the servers that the token is for.
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
_PATIENCE = 60.0
# A server that stands still takes connections and answers nothing: where there are others they are asked soon.
_AMONG_OTHERS = 20.0
_HELD_AMONG_OTHERS = 30.0
_MOST_PLACES = 32
_NOT_NOW = (408, 429, 500, 502, 503, 504)


class Unreachable(OSError):
    """No answer, or one that says "not now"."""


class Refused(Exception):
    """An answer that repeating does not change."""

    def __init__(self, status, detail):
        super().__init__('%s (status %d)' % (detail, status))
        self.status = status


class _Place:
    """Where a server is."""

    def __init__(self, url):
        self.url = url
        parts = urlsplit(url)
        self._kind = HTTPSConnection if parts.scheme == 'https' else HTTPConnection
        self._host = parts.hostname
        self._port = parts.port
        self.base = parts.path.rstrip('/')

    def connect(self, within):
        return self._kind(self._host, self._port, timeout=within)


class Server:
    """One server, or one of several that take the same. Every thread has a connection of its own, kept as long as it works."""

    def __init__(self, url, token, others=None):
        """``others``: URLs of servers that are asked when the one before does not answer; None when no other ever is."""
        self._learns = others is not None
        self._places = [_Place(each) for each in (url,) + tuple(others or ())]
        self._at = self._places[0]
        self._turning = threading.Lock()
        self._headers = {'Authorization': 'Bearer ' + token}
        self._mine = threading.local()

    def call(self, method, path, body=None, kind='application/json', within=None):
        """The body of one answer. Unreachable; Refused.

        ``within``: seconds that the server may take, where it holds the answer back.
        """
        within = self._patience(within)
        at = self._at
        if getattr(self._mine, 'at', at) is not at:
            self.hang_up()
        connection = getattr(self._mine, 'connection', None)
        fresh = connection is None
        if fresh:
            connection = at.connect(within)
            self._mine.connection, self._mine.at = connection, at
        elif connection.sock is not None:
            connection.sock.settimeout(within)
        try:
            headers = dict(self._headers)
            if body is not None:
                headers['Content-Type'] = kind
            connection.request(method, at.base + path, body, headers)
            response = connection.getresponse()
            text = response.read()
        except (OSError, HTTPException) as error:
            self.hang_up()
            if not fresh:
                # The server may have closed a connection that was idle: that is no sign of anything.
                return self.call(method, path, body, kind, within)
            self._turn(at)
            raise Unreachable(str(error) or type(error).__name__)
        if response.status in _NOT_NOW:
            self._turn(at)
            raise Unreachable('status %d' % response.status)
        if response.status >= 300:
            raise Refused(response.status, _detail(text))
        return text

    def ask(self, method, path, question=None, within=None):
        """The same with JSON, or nothing, both ways."""
        body = None if question is None else json.dumps(question).encode('ascii')
        text = self.call(method, path, body, within=within)
        return json.loads(text.decode('utf-8')) if text else {}

    def stream(self, path, into):
        """Copies an answer to a file. Unreachable, when it does not come whole; Refused."""
        within = self._patience(None)
        at = self._at
        connection = at.connect(within)
        try:
            connection.request('GET', at.base + path, headers=self._headers)
            response = connection.getresponse()
            if response.status in _NOT_NOW:
                self._turn(at)
                raise Unreachable('status %d' % response.status)
            if response.status != 200:
                raise Refused(response.status, _detail(response.read(65536)))
            while True:
                piece = response.read(1 << 18)
                if not piece:
                    return
                into.write(piece)
        except Unreachable:
            raise
        except (OSError, HTTPException) as error:
            self._turn(at)
            raise Unreachable(str(error) or type(error).__name__)
        finally:
            connection.close()

    def _patience(self, within):
        if len(self._places) == 1:
            return _PATIENCE if within is None else within
        return _AMONG_OTHERS if within is None else min(within, _HELD_AMONG_OTHERS)

    def _turn(self, at):
        """The next server is asked from now on, unless another thread has seen to that."""
        with self._turning:
            if self._at is at:
                self._at = self._places[(self._places.index(at) + 1) % len(self._places)]

    def know(self, urls):
        """Servers that there are now. Those that were known stay: who says so may have heard of fewer."""
        if not self._learns or not urls:
            return
        with self._turning:
            kept = self._places if len(self._places) < _MOST_PLACES else [self._at]
            there = {place.url for place in kept}
            self._places = kept + [_Place(url) for url in urls if url not in there]

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
