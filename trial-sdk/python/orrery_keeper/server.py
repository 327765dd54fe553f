"""The server as a keeper sees it: calls that are repeated until they are answered.

Where servers share their work each of them takes every call: who does not answer is left for the next one. Proxies of the
environment are not used: the URLs name the servers that the token is for.

On a machine that servers log in to there is a directory in which each of them notes the port of the machine that leads to it,
as ``<process> <port>`` in a file of its own. It is read when a server does not answer, and the server that was noted
last is asked first: a server that comes back, or takes over, is found as soon as it is there.

Where such a server has an agent on the machine it is called by the agent's socket, and by the port when no agent listens there,
or what is said is too long for the agent.
"""

import json
import os
import random
import re
import select
import socket
import threading
import time
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

_FIRST_PAUSE = 0.2
LONGEST_PAUSE = 15.0
_SLICE = 0.5
_PATIENCE = 60.0
# A server that stands still takes connections and answers nothing: where there are others they are asked soon. Not before
# one of them has had the time to take over (the lease of an experiment is 6 s unless it is set).
_AMONG_OTHERS = 10.0
_HELD_AMONG_OTHERS = 30.0
# And where it is seen that another one has come, an answer that is not held back is not waited for.
_MOMENT = 3.0
_MOST_PLACES = 32
# What an agent takes, and its answer to what goes by the port.
_MOST_BY_AGENT = 2 << 20
_BY_PORT = 421
_DOUBT = 60.0
_NOT_NOW = (408, 429, 500, 502, 503, 504)
# What the name of a socket has room for.
_LONGEST_SOCKET = 100
_NOTE = re.compile(r'\d+ (\d{1,5})\s*$')


class Unreachable(OSError):
    """No answer, or one that says "not now"."""


class Refused(Exception):
    """An answer that repeating does not change."""

    def __init__(self, status, detail):
        super().__init__('%s (status %d)' % (detail, status))
        self.status = status


class _ByAgent(HTTPConnection):
    """A connection by the socket of an agent; by the port where there is none."""

    def __init__(self, host, port, path, within):
        super().__init__(host, port, timeout=within)
        self._path = path
        self.is_by_agent = False

    def connect(self):
        self.is_by_agent = False
        try:
            self.sock = _reach(self._path, self.timeout)
            self.is_by_agent = True
        except OSError:
            super().connect()


def _reach(path, within):
    """A connection to the socket of that path. OSError."""
    directory = None
    reached = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        reached.settimeout(within)
        if len(os.fsencode(path)) >= _LONGEST_SOCKET:
            directory = os.open(os.path.dirname(path), os.O_RDONLY | os.O_DIRECTORY)
            path = '/proc/self/fd/%d/%s' % (directory, os.path.basename(path))
        reached.connect(path)
        return reached
    except OSError:
        reached.close()
        raise
    finally:
        if directory is not None:
            os.close(directory)


class _Place:
    """Where a server is. ``agent``: the path of its agent's socket, or None."""

    def __init__(self, url, agent=None):
        self.url = url
        self.agent = agent
        self._doubted_until = 0.0
        parts = urlsplit(url)
        self._kind = HTTPSConnection if parts.scheme == 'https' else HTTPConnection
        self._host = parts.hostname
        self._port = parts.port
        self.base = parts.path.rstrip('/')

    def connect(self, within, by_port=False):
        if (self.agent and not by_port and self._kind is HTTPConnection
                and time.monotonic() >= self._doubted_until):
            return _ByAgent(self._host, self._port, self.agent, within)
        return self._kind(self._host, self._port, timeout=within)

    def doubt(self, connection):
        """An answer did not come by this connection. An agent that stands still is not asked again for a while: the port may
        lead to the server all the same."""
        if getattr(connection, 'is_by_agent', False):
            self._doubted_until = time.monotonic() + _DOUBT


class Server:
    """One server, or one of several that take the same. A connection that is not in use serves the next call."""

    def __init__(self, url, token, others=None, ports=None, agent=None):
        """``others``: URLs of servers that are asked when the one before does not answer; None when no other ever is.

        ``ports``: the directory where servers note their ports, which then is the only way to them; None where there is none.

        ``agent``: the socket of the first server's agent on this machine; None where it has none.
        """
        self._shared = others is not None
        self._ports = ports
        self._stamp = None
        self._news = 0
        self._places = [_Place(url, agent)] + [_Place(each) for each in others or ()]
        self._at = self._places[0]
        self._turning = threading.Lock()
        self._headers = {'Authorization': 'Bearer ' + token}
        self._idle = []

    @property
    def url(self):
        """Where it is asked next."""
        return self._at.url

    @property
    def agent(self):
        """The socket of the agent of the one that is asked next; None where it has none."""
        return self._at.agent

    def call(self, method, path, body=None, kind='application/json', within=None, by_port=False):
        """The body of one answer. Unreachable; Refused.

        ``within``: seconds that the server may take, where it holds the answer back.
        """
        patience = self._patience(within)
        at = self._at
        by_port = by_port or (at.agent is not None and body is not None and len(body) > _MOST_BY_AGENT)
        connection = None if by_port else self._take(at)
        fresh = connection is None
        if fresh:
            connection = at.connect(patience, by_port)
        elif connection.sock is not None:
            connection.sock.settimeout(patience)
        try:
            headers = dict(self._headers)
            if body is not None:
                headers['Content-Type'] = kind
            connection.request(method, at.base + path, body, headers)
            if self._ports:
                self._listen(connection.sock, at, patience, held=within is not None)
            response = connection.getresponse()
            text = response.read()
        except (OSError, HTTPException) as error:
            connection.close()
            if not fresh:
                self._hang_up()
            # The server may have closed those that were idle: that is no sign of anything. Its silence is.
            if not fresh and not isinstance(error, socket.timeout):
                return self.call(method, path, body, kind, within, by_port)
            if isinstance(error, socket.timeout):
                at.doubt(connection)
            self._turn(at)
            raise Unreachable(str(error) or type(error).__name__)
        if by_port:
            connection.close()
        else:
            with self._turning:
                self._idle.append((at, connection))
        if response.status == _BY_PORT and getattr(connection, 'is_by_agent', False):
            return self.call(method, path, body, kind, within, by_port=True)
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
        connection = at.connect(within, by_port=True)
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

    def _listen(self, sock, at, patience, held):
        """Waits for an answer, or for another server to ask instead: one that stands still keeps its port. socket.timeout."""
        begun = time.monotonic()
        while not select.select([sock], [], [], _SLICE)[0]:
            waited = time.monotonic() - begun
            if not held and waited > _MOMENT:
                self.look()
            if self._at is not at:
                raise socket.timeout('it does not answer, and another server is there')
            if waited > patience:
                raise socket.timeout('no answer within %g s' % patience)

    def _patience(self, within):
        if not self._shared:
            return _PATIENCE if within is None else within
        return _AMONG_OTHERS if within is None else min(within, _HELD_AMONG_OTHERS)

    def _turn(self, at):
        """The next server is asked from now on, unless another thread has seen to that."""
        self.look()
        with self._turning:
            if self._at is at:
                following = self._places.index(at) + 1 if at in self._places else 0
                self._at = self._places[following % len(self._places)]

    def look(self):
        """Looks for servers that have noted themselves since the last look: the newest is asked from now on.

        The number of times that there was such news.
        """
        if self._ports is None:
            return 0
        with self._turning:
            stamp = _stamp(self._ports)
            if stamp != self._stamp:
                self._stamp = stamp
                noted = _noted(self._ports)
                if noted:
                    there = {place.url: place for place in self._places}
                    self._places = [there.get(url) or _Place(url) for url, _ in noted]
                    for place, (_, agent) in zip(self._places, noted):
                        place.agent = agent
                    self._at = self._places[0]
                    self._news += 1
            return self._news

    def know(self, urls):
        """Servers that there are now. Those that were known stay: who says so may have heard of fewer."""
        if not self._shared or self._ports or not urls:
            return
        with self._turning:
            kept = self._places if len(self._places) < _MOST_PLACES else [self._at]
            there = {place.url for place in kept}
            self._places = kept + [_Place(url) for url in urls if url not in there]

    def _take(self, at):
        """Returns a free connection to the address, the one that was used last; None when there is none."""
        while True:
            with self._turning:
                if not self._idle:
                    return None
                there, connection = self._idle.pop()
            if there is at:
                return connection
            connection.close()

    def _hang_up(self):
        """Closes the connections that are not in use."""
        with self._turning:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()


class Pause:
    """Ever longer waits, until something works again. Those who lost the server together do not come back together."""

    def __init__(self, longest=LONGEST_PAUSE):
        self._length = _FIRST_PAUSE
        self._longest = longest

    def take(self, server, until=None):
        """Waits, but not when there is news of the server, nor beyond the monotonic time ``until()``, which may come nearer."""
        end = time.monotonic() + self._length * random.uniform(0.5, 1.0)
        self._length = min(self._length * 2, self._longest)
        known = server.look()
        while True:
            left = (end if until is None else min(end, until())) - time.monotonic()
            if left <= 0 or server.look() != known:
                return
            time.sleep(min(left, _SLICE))

    def reset(self):
        self._length = _FIRST_PAUSE


def insist(server, call, until, longest=LONGEST_PAUSE):
    """Repeats a call of the server while it cannot be reached and ``until()``, a monotonic time, has not come.

    ``longest``: seconds between two calls.
    """
    pause = Pause(longest)
    while True:
        try:
            return call()
        except Unreachable:
            if until() <= time.monotonic():
                raise
            pause.take(server, until)


def _stamp(directory):
    """What changes when a file comes, goes, or is another one; None when there is no such directory."""
    try:
        return os.stat(directory).st_mtime_ns
    except OSError:
        return None


def _noted(directory):
    """The URLs of the ports that are noted there, and where the agents of these servers have their sockets; newest first."""
    ages = {}
    # Not in the same directory: what is noted there is read by keepers that know nothing of agents.
    agents = os.path.join(os.path.dirname(directory), '.agents', os.path.basename(directory))
    try:
        for entry in os.scandir(directory):
            with open(entry.path, encoding='ascii', errors='replace') as file:
                note = _NOTE.match(file.read(64))
            if note:
                way = ('http://127.0.0.1:' + note.group(1), os.path.join(agents, entry.name))
                ages[way] = entry.stat().st_mtime_ns
    except OSError:
        # One that goes while it is read is missed with the rest: its removal leaves another stamp.
        pass
    return sorted(ages, key=ages.get, reverse=True)


def _detail(text):
    try:
        return str(json.loads(text.decode('utf-8'))['detail'])[:500]
    except (ValueError, KeyError, TypeError):
        return text[:200].decode('utf-8', 'replace').strip() or 'refused'
