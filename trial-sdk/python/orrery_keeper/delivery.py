"""Everything that goes to the server while the command runs, and after it: reports, output, signs of life."""

import json
import os
import threading
import time
from urllib.parse import quote

from .place import say
from .plain_file import open_plain
from .server import LONGEST_PAUSE as _LONGEST_PAUSE, Pause, Refused, Unreachable, insist

_BATCH = 1 << 20
_PIECE = 1 << 19
_PART = 1 << 20
_GATHER = 1.0

# What goes with the end at most: a result, and what is reported shortly before it.
_WITH_END = 1 << 15
_MOST_FILES = 2000
_FOREVER = 1e9

# A caller waits for a start, or wants it canceled: a server that was killed between the question
# and its answer is not waited for as long as one that takes in what there is to deliver.
_START_ANSWER = 10.0
_START_PAUSE = 3.0

# A keeper that has just been started lives: a command that is over sooner needs no sign of that,
# nor a connection that is held.
_FIRST_BEAT = 1.0

# The server itself holds such a question for a while.
_NEXT_PAUSE = 0.5

# The attempt, or its experiment, is no more; nothing can be delivered.
_GONE = (404, 409, 410)
# It may be a proxy that says so, or a server whose secret comes back.
_LOCKED = (401, 403)


class Gone(Exception):
    """The server does not know this attempt any more, or another keeper has it."""


class Delivery:
    """The calls of one keeper. Threads of its own deliver from spools; the end of the keeper waits for them."""

    def __init__(self, server, settings, instance):
        self._server = server
        self._settings = settings
        self._who = {'keeper': settings.keeper, 'instance': instance}
        self._until = time.monotonic() + _FOREVER
        self._closing = threading.Event()
        self._threads = []
        self._spools = []
        self._waiting = None
        self._reporter = None
        self._most = _BATCH
        self._holding = threading.Event()
        self._record = None
        self.complaints = []

    # When it must be done.

    def limit(self, seconds):
        """Nothing is tried again after that many seconds from now; an earlier limit stands. May be called by a signal."""
        self._until = min(self._until, time.monotonic() + seconds)

    def until(self):
        return self._until

    # Calls that are made once.

    def start(self, version, primary, until, parameters=False):
        """Takes this place. Refused when the command must not run; Unreachable. ``parameters``: brings the record as well,
        which saves a call."""
        question = dict(self._who, primary=primary, version=version)
        if parameters:
            question['parameters'] = True
        answer = insist(self._server, lambda: self._server.ask('POST', '/keeper/start', question, within=_START_ANSWER),
                        until, _START_PAUSE)
        record = answer.get('parameters')
        self._record = record if isinstance(record, str) else None

    def parameters(self, until):
        """The parameter record, as text: the one that came with the start, if one did."""
        if self._record is not None:
            return self._record
        return insist(self._server, lambda: self._server.call('GET', '/keeper/parameters'), until).decode('utf-8')

    def further_parameters(self, index):
        """The record of a further set, as text; waits until there is one. Refused; Unreachable; Gone."""
        return self._insist(
            lambda: self._server.call('GET', '/keeper/parameters?index=%d' % index), _NEXT_PAUSE).decode('utf-8')

    def end(self, exit_code, reason):
        """Tells the end, with what could not be delivered, and the reports that were held back. Unreachable; Gone."""
        held = self._waiting.peek(_WITH_END) if self._waiting else b''
        # Something may have come since, from one who still has the pipe.
        if held and len(held) == len(self._waiting):
            last = dict(self._end(exit_code, reason), reports=held.decode('ascii'))
            try:
                self._insist(lambda: self._server.ask('POST', '/keeper/finish', last), refused_at_once=True)
                self._waiting.drop(len(held))
                return
            except Refused:
                # By a server of an earlier release, or because of one of the reports.
                pass
        self.let_go()
        self._tell('POST', '/keeper/end', self._end(exit_code, reason))

    def _end(self, exit_code, reason):
        reasons = ([reason] if reason else []) + self.complaints
        return dict(self._who, exitCode=exit_code, reason='; '.join(reasons)[:2000] or None)

    def _tell(self, method, path, question):
        return self._insist(lambda: self._server.ask(method, path, question))

    def _insist(self, call, longest=_LONGEST_PAUSE, refused_at_once=False):
        def attempt():
            try:
                return call()
            except Refused as refusal:
                if refused_at_once:
                    raise
                if refusal.status in _GONE:
                    raise Gone(str(refusal)) from None
                if refusal.status in _LOCKED:
                    raise Unreachable(str(refusal)) from None
                raise
        return insist(self._server, attempt, self.until, longest)

    # Reports.

    def reports(self, spool):
        """Delivers the lines of a spool from now on."""
        self._waiting = spool
        self._reporter = self._run('reports', lambda: self._deliver_reports(spool), spool)

    def hold(self):
        """Holds few reports back from now on, for the end to bring them: the command is over."""
        self._holding.set()

    def let_go(self):
        """Delivers what is held back. Unreachable; Gone."""
        if self._reporter is None or self._reporter.is_alive() or self._reporter.failed:
            return
        # What comes meanwhile comes too late.
        left = len(self._waiting)
        while left > 0:
            left -= self._send_reports(self._waiting)

    def _deliver_reports(self, spool):
        while True:
            waiting = len(spool)
            closing = self._closing.is_set()
            if closing and (not waiting or self._holding.is_set() and waiting <= _WITH_END):
                return
            if not waiting:
                spool.await_data(_GATHER)
            elif self._holding.is_set() and waiting <= _WITH_END:
                self._closing.wait(_GATHER)
            else:
                self._send_reports(spool)

    def _send_reports(self, spool):
        """Delivers the first lines, as many as go at once; how many bytes they were."""
        batch = spool.peek(self._most)
        cut = batch.rfind(b'\n') + 1
        if cut == 0:
            self._most *= 2
            return 0
        batch = batch[:cut]
        try:
            self._insist(lambda: self._server.call('POST', '/api/v1/metrics', batch, 'application/x-ndjson'))
            self._most = _BATCH
        except Refused as refusal:
            first = batch.find(b'\n') + 1
            if first < len(batch):
                # One of them is to blame.
                self._most = max(first, len(batch) // 2)
                return 0
            self._complain('a report was refused: %s' % refusal)
        spool.drop(len(batch))
        return len(batch)

    # Output.

    def logs(self, sources):
        """Delivers streams from now on: (name, spool or the path of a file)."""
        streams = [_SpooledStream(name, source) if hasattr(source, 'peek') else _FileStream(name, source)
                   for name, source in sources]
        self._run('logs', lambda: self._deliver_logs(streams))

    def _deliver_logs(self, streams):
        while True:
            closing = self._closing.is_set()
            moved = False
            for stream in streams:
                moved = self._ship(stream) or moved
            if not moved:
                if closing:
                    return
                self._closing.wait(_GATHER)

    def _ship(self, stream):
        piece = stream.peek()
        if not piece:
            return False
        path = '/keeper/logs/%s?keeper=%s&offset=%d' % (stream.name, self._settings.keeper, stream.offset)
        try:
            answer = self._insist(
                lambda: self._server.call('PUT', path, piece, 'application/octet-stream'))
            following = json.loads(answer.decode('utf-8'))['next']
        except Refused as refusal:
            if stream.discard():
                self._complain('%s is not kept to its end: %s' % (stream.name, refusal))
            return True
        stream.arrived(following, len(piece))
        return True

    # Signs of life.

    def beats(self, on_cancel, on_gone):
        """Tells the server that this keeper lives, and learns from it whether the command is to end."""
        threading.Thread(target=self._beat, args=(on_cancel, on_gone), name='beats', daemon=True).start()

    def _beat(self, on_cancel, on_gone):
        pause = Pause()
        time.sleep(_FIRST_BEAT)
        while True:
            try:
                orders = self._server.ask('POST', '/keeper/beat', self._who, within=90.0)
                self._server.know(orders.get('servers'))
                if orders.get('cancel'):
                    on_cancel()
                    # It would be told again at once.
                    time.sleep(5.0)
                pause.reset()
            except Unreachable:
                pause.take(self._server)
            except Refused as refusal:
                if refusal.status in _GONE:
                    on_gone(str(refusal))
                    return
                pause.take(self._server)

    # Files that the command left.

    def outputs(self, directory, skipped):
        """Uploads all regular files below a directory but those named. Unreachable; Gone."""
        count = 0
        for parent, directories, names in os.walk(directory):
            directories.sort()
            for name in sorted(names):
                path = os.path.join(parent, name)
                below = os.path.relpath(path, directory)
                if below in skipped or os.path.islink(path) or not os.path.isfile(path):
                    continue
                count += 1
                if count == 1:
                    # They may take long.
                    self.let_go()
                if count > _MOST_FILES:
                    self._complain('only the first %d files that it left were kept' % _MOST_FILES)
                    return
                try:
                    self._upload(path, below.replace(os.sep, '/'))
                except (Refused, UnicodeEncodeError) as refusal:
                    self._complain('%r was not kept: %s' % (below, refusal))
                except Unreachable:
                    raise
                except OSError as error:
                    self._complain('%r could not be read: %s' % (below, error))

    def _upload(self, path, below):
        address = '/keeper/outputs/%s?keeper=%s' % (quote(below), self._settings.keeper)
        offset = 0
        with open_plain(path) as file:
            size = os.fstat(file.fileno()).st_size
            while True:
                file.seek(offset)
                piece = file.read(min(_PART, size - offset))
                if len(piece) < min(_PART, size - offset):
                    raise OSError('it became shorter')
                target = '%s&offset=%d&size=%d' % (address, offset, size)
                answer = self._insist(lambda: self._server.call('PUT', target, piece, 'application/octet-stream'))
                offset = json.loads(answer.decode('utf-8'))['next']
                if offset >= size:
                    return

    # The end.

    def finish(self):
        """Waits until everything is delivered, or cannot be any more; whether it is."""
        self._closing.set()
        for spool in self._spools:
            spool.nudge()
        for thread in self._threads:
            while thread.is_alive() and time.monotonic() < self._until + 5.0:
                # A limit may be set meanwhile.
                thread.join(0.5)
        return not any(thread.is_alive() or thread.failed for thread in self._threads)

    def _run(self, name, work, *spools):
        self._spools.extend(spools)
        thread = _Worker(name, work)
        self._threads.append(thread)
        thread.start()
        return thread

    def _complain(self, what):
        say(what)
        if len(self.complaints) < 5:
            self.complaints.append(what)


class _Worker(threading.Thread):
    """A thread that remembers whether its work could not be done."""

    def __init__(self, name, work):
        super().__init__(name=name, daemon=True)
        self._work = work
        self.failed = False

    def run(self):
        try:
            self._work()
        except (Gone, Unreachable):
            self.failed = True


class _SpooledStream:
    """What was printed, from its spool."""

    def __init__(self, name, spool):
        self.name = name
        self.offset = 0
        self._spool = spool
        self._over = False

    def peek(self):
        if self._over:
            self._spool.drop(len(self._spool))
        return self._spool.peek(_PIECE)

    def arrived(self, following, length):
        """The server wants ``following`` next, after a piece of that length. Less than now: it has lost some."""
        self._spool.drop(max(0, min(following - self.offset, length)))
        self.offset = following

    def discard(self):
        """Nothing more of it is kept. Whether that is news."""
        news, self._over = not self._over, True
        return news


class _FileStream:
    """A file that the command writes itself."""

    def __init__(self, name, path):
        self.name = name
        self.offset = 0
        self._path = path
        self._at = 0
        self._over = False

    def peek(self):
        if self._over:
            return b''
        try:
            with open_plain(self._path) as file:
                if os.fstat(file.fileno()).st_size < self._at:
                    # It was begun anew.
                    self._at = 0
                file.seek(self._at)
                return file.read(_PIECE)
        except OSError:
            return b''

    def arrived(self, following, length):
        self._at += max(0, min(following - self.offset, length))
        self.offset = following

    def discard(self):
        news, self._over = not self._over, True
        return news
