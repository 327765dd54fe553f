"""Where keepers call the server by its agent: a socket of this machine, and of HTTP what keepers speak."""

import os
import re
import resource
import selectors
import socket
import struct

MOST_HEAD = 16 << 10

# More than a keeper sends in one piece; what is longer goes by the port.
MOST_BODY = 4 << 20

# What all callers together have begun to say.
_MOST_HELD = 64 << 20

_MOST_CALLERS = 4096
_BACKLOG = 128
_PIECE = 1 << 16

# "Ask elsewhere": the keeper calls by the port.
ELSEWHERE = 421

_LINE = re.compile(rb'(GET|POST|PUT) (/[!-~]{0,8000}) HTTP/1\.1$')
_HEADER = re.compile(rb'([!-9;-~]+):[ \t]*([^\r\n]*?)[ \t]*$')


class CallServer:
    """Listens at a path that its owner alone can reach. OSError when that is not possible."""

    def __init__(self, path, agent):
        """``agent``: carries calls, and has the selector."""
        self._path = path
        self._agent = agent
        self._callers = set()
        self._held = 0
        self._paused = False
        # The rest is for what the agent starts.
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        self._most = min(_MOST_CALLERS, max(16, soft - 320)) if soft != resource.RLIM_INFINITY else _MOST_CALLERS
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        os.chmod(os.path.dirname(path), 0o700)
        fresh = '%s.%d' % (path, os.getpid())
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with short(fresh) as name:
                self._listener.bind(name)
            os.chmod(fresh, 0o600)
            self._listener.listen(_BACKLOG)
            self._listener.setblocking(False)
            self._known = os.stat(fresh).st_ino
            # In the place of one that was killed.
            os.rename(fresh, path)
        except OSError:
            self._listener.close()
            _remove(fresh)
            raise
        agent.selector.register(self._listener, selectors.EVENT_READ, self._come)

    def close(self):
        try:
            # Another one may stand there by now.
            if os.stat(self._path).st_ino == self._known:
                os.unlink(self._path)
        except OSError:
            pass
        self._listener.close()
        for caller in list(self._callers):
            caller.close()

    def pause(self):
        """Hears no one until ``go_on``."""
        if not self._paused:
            self._paused = True
            for caller in self._callers:
                caller.listen()

    def go_on(self):
        if self._paused:
            self._paused = False
            for caller in self._callers:
                caller.listen()

    @property
    def paused(self):
        return self._paused

    def _come(self, mask):
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return
        if not _is_ours(connection):
            connection.close()
            return
        connection.setblocking(False)
        caller = _Caller(connection, self, self._agent)
        self._callers.add(caller)
        caller.listen()
        if len(self._callers) > self._most:
            caller.answer(ELSEWHERE, close=True)

    def hold(self, count):
        """Whether there is room for so many bytes more; then it is theirs until ``let_go``."""
        if self._held + count > _MOST_HELD:
            return False
        self._held += count
        return True

    def let_go(self, count):
        self._held -= count

    def gone(self, caller):
        self._callers.discard(caller)


class _Caller:
    """A connection of a keeper: one call after the other."""

    def __init__(self, connection, server, agent):
        self._connection = connection
        self._server = server
        self._agent = agent
        self._said = bytearray()
        self._wanted = None
        self._call = None
        self._out = memoryview(b'')
        self._ending = False
        self._events = 0

    def listen(self):
        """Hears what it waits for, and nothing else."""
        wanted = 0
        if self._out:
            wanted = selectors.EVENT_WRITE
        elif self._call is not None or not self._server.paused:
            # While an answer is waited for nothing comes but the end.
            wanted = selectors.EVENT_READ
        selector = self._agent.selector
        if wanted and self._events:
            selector.modify(self._connection, wanted, self._happens)
        elif wanted:
            selector.register(self._connection, wanted, self._happens)
        elif self._events:
            selector.unregister(self._connection)
        self._events = wanted

    def close(self):
        if self._events:
            self._agent.selector.unregister(self._connection)
            self._events = 0
        self._connection.close()
        if self._wanted:
            self._server.let_go(self._wanted[1])
            self._wanted = None
        if self._call is not None:
            self._agent.leave(self._call)
            self._call = None
        self._server.gone(self)

    def answer(self, status, body=b'', close=False):
        self._ending = self._ending or close
        head = 'HTTP/1.1 %d .\r\nContent-Length: %d\r\n%s\r\n' % (status, len(body), 'Connection: close\r\n' if close else '')
        self._out = memoryview(head.encode('ascii') + body)
        self._send()

    def _happens(self, mask):
        if mask & selectors.EVENT_WRITE:
            self._send()
        else:
            self._read()

    def _send(self):
        try:
            while self._out:
                self._out = self._out[self._connection.send(self._out):]
        except BlockingIOError:
            pass
        except OSError:
            self.close()
            return
        if self._ending and not self._out:
            self.close()
        else:
            self.listen()

    def _read(self):
        try:
            data = self._connection.recv(_PIECE)
        except BlockingIOError:
            return
        except OSError:
            data = b''
        # Who speaks before it is answered says nothing that is waited for.
        if not data or self._call is not None:
            self.close()
            return
        self._said += data
        self._take()

    def _take(self):
        if self._wanted is None:
            end = self._said.find(b'\r\n\r\n')
            if end < 0 or end > MOST_HEAD:
                if len(self._said) > MOST_HEAD:
                    self.answer(431, close=True)
                return
            head, length = _read_head(bytes(self._said[:end]))
            if head is None:
                self.answer(400, close=True)
                return
            if length > MOST_BODY or not self._server.hold(length):
                self.answer(ELSEWHERE, close=True)
                return
            self._wanted = (head, length)
            del self._said[:end + 4]
        head, length = self._wanted
        if len(self._said) > length:
            self.close()
        elif len(self._said) == length:
            body = bytes(self._said)
            self._said = bytearray()
            self._wanted = None
            self._server.let_go(length)
            self._call = self._agent.call(head, body, self._answered)
            self.listen()

    def _answered(self, head, body):
        self._call = None
        status = head.get('status')
        self.answer(status if isinstance(status, int) and 200 <= status <= 599 else 502, body)


def _read_head(text):
    """What a head says: method, path, token and kind of the body; and the body's length. (None, 0) for what no keeper says."""
    lines = text.split(b'\r\n')
    line = _LINE.match(lines[0])
    if not line:
        return None, 0
    head = {'method': line.group(1).decode('ascii'), 'path': line.group(2).decode('ascii')}
    length = 0
    seen = set()
    for each in lines[1:]:
        header = _HEADER.match(each)
        if not header:
            return None, 0
        name = header.group(1).lower()
        value = header.group(2)
        if name in (b'transfer-encoding', b'upgrade', b'expect') or name in seen:
            return None, 0
        seen.add(name)
        try:
            if name == b'content-length':
                if not re.match(rb'\d{1,12}$', value):
                    return None, 0
                length = int(value)
            elif name == b'authorization' and value.startswith(b'Bearer '):
                head['token'] = value[len(b'Bearer '):].strip().decode('ascii')
            elif name == b'content-type':
                head['type'] = value.decode('ascii')
        except UnicodeDecodeError:
            return None, 0
    return head, length


def _is_ours(connection):
    """Whether who calls has this account; the place of the socket says so as well."""
    try:
        asked = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize('3i'))
        return struct.unpack('3i', asked)[1] == os.getuid()
    except (OSError, AttributeError):
        return False


class short:
    """A name by which a path of any length can be given to a socket, while this is open: there are 108 bytes for it."""

    def __init__(self, path):
        self._path = path
        self._directory = None

    def __enter__(self):
        if len(os.fsencode(self._path)) < 100:
            return self._path
        self._directory = os.open(os.path.dirname(self._path), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        return '/proc/self/fd/%d/%s' % (self._directory, os.path.basename(self._path))

    def __exit__(self, *ignored):
        if self._directory is not None:
            os.close(self._directory)


def _remove(path):
    try:
        os.unlink(path)
    except OSError:
        pass
