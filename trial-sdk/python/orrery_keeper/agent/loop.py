"""The loop of the agent: one thread, so that it may fork, which waits for nothing but its next event."""

import collections
import fcntl
import gc
import json
import os
import selectors
import signal
import sys

from . import attempts, brought_code, frames, proc_environ
from .attempts import Done
from .call_server import CallServer

# More than a server asks for at once.
MOST_AT_ONCE = 256

# Above this the callers wait until the server has taken some of what they say.
_MUCH = 8 << 20

_PIECE = 1 << 16

# The exit code of what this agent cannot do, so that the server does it by other means.
UNABLE = 70


class Agent:
    """Does what the server asks for until it hangs up."""

    def __init__(self, source, sink, base, keep):
        """``source``, ``sink``: descriptors, from and to the server. ``base``: the directory of the servers that share their
        work. ``keep``: runs a keeper in this process and gives its exit code."""
        self._source = source
        self._sink = sink
        self._base = base
        self._keep = keep
        self._out = collections.deque()
        self._waiting = 0
        self._frames = frames.Frames((frames.DO, frames.ANSWER))
        self._under_way = {}
        self._attempts = {}
        self._calls = {}
        self._next_call = 0
        self._call_server = None
        self._over = False
        self.selector = selectors.DefaultSelector()

    def run(self, socket):
        """``socket``: the path where keepers find this agent. Returns when the server has hung up."""
        awake = self._listen_to_signals()
        for descriptor in (self._source, self._sink):
            os.set_blocking(descriptor, False)
        try:
            self._call_server = CallServer(socket, self)
        except OSError as error:
            sys.stderr.write('orrery: keepers cannot call by %s: %s\n' % (socket, error))
        try:
            self._say(frames.MARK)
            self._say(frames.frame(frames.HELLO, 0, frames.packed({'socket': socket if self._call_server else None})))
            self.selector.register(self._source, selectors.EVENT_READ, self._listen)
            self.selector.register(awake, selectors.EVENT_READ, lambda mask: self._reap(awake))
            # What is there now is no garbage, and its pages are those of all that is forked.
            gc.collect()
            gc.freeze()
            while not self._over:
                for key, mask in self.selector.select():
                    # One that was closed by another event of the same look is heard no more.
                    if self.selector.get_map().get(key.fd) is key:
                        key.data(mask)
        finally:
            if self._call_server:
                self._call_server.close()

    def _listen_to_signals(self):
        awake, wake = os.pipe()
        for descriptor in (awake, wake):
            os.set_blocking(descriptor, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *ignored: None)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._end)
        return awake

    def _end(self, *ignored):
        self._over = True

    # From the server.

    def _listen(self, mask):
        try:
            data = os.read(self._source, _PIECE)
        except BlockingIOError:
            return
        except OSError:
            data = b''
        if not data:
            self._over = True
            return
        try:
            for kind, number, payload in self._frames.feed(data):
                if kind == frames.DO:
                    self._do(number, payload)
                else:
                    answered = self._calls.pop(number, None)
                    if answered:
                        answered(*frames.unpacked(payload))
        except frames.Broken as error:
            sys.stderr.write('orrery: the server said something that is no frame: %s\n' % error)
            self._over = True

    def _do(self, number, payload):
        order, _ = frames.unpacked(payload)
        work = self._work(order)
        if work is None or len(self._under_way) >= MOST_AT_ONCE:
            self._done(number, Done(UNABLE, err='not known to this agent' if work is None else 'too much at once'))
            return
        try:
            child = self._fork(number, work)
        except OSError as error:
            self._done(number, Done(UNABLE, err='no process can be started: %s' % error))
            return
        if order['do'] == 'start':
            self._attempts[child] = str(order.get('run'))

    def _work(self, order):
        """What an order asks for, as a function that is called in a process of its own; None for what is not known."""
        what = order.get('do')
        try:
            if what == 'start':
                return lambda tell: attempts.start(order, tell, self._keep)
            if what == 'census':
                return lambda tell: tell(attempts.census(self._base))
            if what == 'code':
                wanted = {name: str(order[name]) for name in ('url', 'token', 'digest', 'experiment')}
                return lambda tell: tell(brought_code.bring(self._base, wanted))
            if what == 'end':
                run, farewell, grace = str(order['run']), float(order['farewell']), float(order['grace'])
                return lambda tell: tell(attempts.end(run, farewell, grace))
        except (KeyError, TypeError, ValueError):
            pass
        return None

    # To the server.

    def call(self, head, body, answered):
        """Carries a call to the server; its number. ``answered`` is called with the head and the body of the answer."""
        self._next_call = (self._next_call + 1) & 0x7fffffff
        self._calls[self._next_call] = answered
        self._say(frames.frame(frames.CALL, self._next_call, frames.packed(head, body)))
        return self._next_call

    def leave(self, number):
        """Who made a call has gone."""
        if self._calls.pop(number, None):
            self._say(frames.frame(frames.LEFT, number))

    def _done(self, number, done):
        text = json.dumps({'code': done.code, 'out': done.out, 'err': done.err}).encode('ascii')
        self._say(frames.frame(frames.DONE, number, text))

    def _say(self, data):
        self._out.append(memoryview(data))
        self._waiting += len(data)
        self._send(selectors.EVENT_WRITE)
        if self._call_server and self._waiting > _MUCH:
            self._call_server.pause()

    def _send(self, mask):
        try:
            while self._out:
                count = os.write(self._sink, self._out[0])
                self._waiting -= count
                if count < len(self._out[0]):
                    self._out[0] = self._out[0][count:]
                else:
                    self._out.popleft()
        except BlockingIOError:
            pass
        except OSError:
            self._over = True
            self._out.clear()
        known = self._sink in self.selector.get_map()
        if self._out and not known:
            self.selector.register(self._sink, selectors.EVENT_WRITE, self._send)
        elif not self._out and known:
            self.selector.unregister(self._sink)
        if self._call_server and self._waiting <= _MUCH // 2:
            self._call_server.go_on()

    # Processes.

    def _fork(self, number, work):
        heard, told = os.pipe()
        try:
            child = os.fork()
        except OSError:
            os.close(heard)
            os.close(told)
            raise
        if child == 0:
            _become(told, work)
        os.close(told)
        os.set_blocking(heard, False)
        self._under_way[heard] = bytearray()
        self.selector.register(heard, selectors.EVENT_READ, lambda mask: self._hear(heard, number))
        return child

    def _hear(self, heard, number):
        try:
            data = os.read(heard, _PIECE)
        except BlockingIOError:
            return
        said = self._under_way[heard]
        said += data
        if data and len(said) <= frames.MOST:
            return
        self.selector.unregister(heard)
        os.close(heard)
        del self._under_way[heard]
        if not said or data:
            self._done(number, Done(UNABLE, err='its process said nothing' if not said else 'too long an answer'))
        else:
            self._say(frames.frame(frames.DONE, number, bytes(said)))

    def _reap(self, awake):
        try:
            while os.read(awake, _PIECE):
                pass
        except OSError:
            pass
        try:
            # Its process is there until its end has been written: who looks for it meanwhile finds that it runs.
            while True:
                child = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if child is None:
                    break
                run = self._attempts.pop(child.si_pid, None)
                if run is not None and child.si_code != os.CLD_EXITED:
                    attempts.killed(run, child.si_status)
                os.waitpid(child.si_pid, 0)
        except ChildProcessError:
            pass


def _become(told, work):
    """Does it in this process, which has just been forked and has nothing of the agent from now on; never returns.

    What the agent had open is closed by number: its objects stay where they are, for one that went would close what has
    its number by then.
    """
    said = []

    def tell(done):
        if not said:
            said.append(done)
            text = json.dumps({'code': done.code, 'out': done.out, 'err': done.err}).encode('ascii')
            with open(told, 'wb') as pipe:
                pipe.write(text)

    try:
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for name in os.listdir('/proc/self/fd'):
            if int(name) > 2 and int(name) != told:
                try:
                    os.close(int(name))
                except OSError:
                    # That of this look.
                    pass
        null = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(null, standard)
        os.close(null)
        work(tell)
    except Done as done:
        tell(done)
    except BaseException as error:
        tell(Done(UNABLE, err='%s: %s' % (type(error).__name__, error)))
    finally:
        os._exit(0)


def main(arguments, keep):
    """``python3 keeper agent BASE SOCKET``: the exit code. ``keep``: as for the agent."""
    if len(arguments) != 2 or not sys.executable or not os.path.isdir('/proc/self/fd'):
        sys.stderr.write('orrery: an agent needs Linux, a directory and the path of a socket\n')
        return UNABLE
    if not proc_environ.has_room():
        os.execve(sys.executable, [sys.executable] + sys.argv, proc_environ.with_room(os.environ))
    del os.environ[proc_environ.ROOM]
    os.umask(0o077)
    if not proc_environ.works():
        sys.stderr.write('orrery: a process cannot change the environment that it shows here\n')
        return UNABLE
    _import_all()
    # What is printed by mistake is no frame.
    source, sink = (fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 3) for number in (0, 1))
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    Agent(source, sink, arguments[0], keep).run(arguments[1])
    return 0


def _import_all():
    """Reads all that a keeper may need, once for all of them."""
    import gzip
    import hashlib
    import tarfile
    import tempfile
    import zipfile
    from .. import delivery, environment, event_files, life
    ''.encode('idna')
    return gzip, hashlib, tarfile, tempfile, zipfile, delivery, environment, event_files, life
