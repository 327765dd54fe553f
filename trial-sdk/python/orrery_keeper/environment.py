"""An environment: a container that the server gives attempt after attempt, each of them to a keeper of its own.

Every keeper is a process of its own with the attempt's own token, directory and report channel, exactly as if the container
were the attempt's alone; here is only who starts them. What is to run, what runs and what has ended is said again with every
call, so that no answer is missed that got lost, by a server that was started again either.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

from .delivery import Delivery, Gone
from .place import NoPlace, TOLD_TO_END, say, take
from .process import end_marked
from .server import Pause, Refused, Server, Unreachable

_QUICK = 0.1
# How soon it asks again when it has no room for what it was given; an end of what runs here wakes it.
_CROWDED = 2.0
# What must be free on the disk for one more attempt. One that is all but full would take it, and nothing that it does.
_ROOM = 1 << 20

# All that comes of an attempt has it in its environment, its keeper and its command alike.
_MARK = 'ORRERY_ENVIRONMENT_PLACE'
# What is this environment's own, and no attempt's.
_OWN = ('ORRERY_KEEPER_MODE', 'ORRERY_TRIAL_TOKEN', 'ORRERY_COMMAND', 'ORRERY_CODE', 'ORRERY_CODE_DIRECTORY', 'ORRERY_CODE_ARCHIVE',
        'ORRERY_OUTPUT_DIRECTORY', 'ORRERY_SHARED_DIRECTORY',
        'ORRERY_ATTEMPT', 'ORRERY_KEEPER_DIRECTORY', 'ORRERY_KEEPER_HOME', 'ORRERY_KEEPER_ROLE', 'ORRERY_KEEPER_REPORTS')


def keep(settings):
    """Runs what the server gives until it is told to end, or nothing was to be done for long; the exit code."""
    try:
        return _Environment(settings).run()
    finally:
        shutil.rmtree(settings.scratch, ignore_errors=True)


def _as_files(program, scratch):
    """The keeper as a directory, whose parts Python compiles once and not for every attempt; itself where it is no archive."""
    if not zipfile.is_zipfile(program):
        return program
    directory = os.path.join(scratch, 'keeper')
    try:
        with zipfile.ZipFile(program) as archive:
            archive.extractall(directory)
    except OSError as error:
        say('it stays in its archive: %s' % error)
        return program
    return directory


class _Environment:
    def __init__(self, settings):
        self._settings = settings
        self._instance = os.urandom(8).hex()
        self._server = Server(settings.url, settings.token, settings.other_urls, settings.ports,
                              settings.agent)
        self._delivery = Delivery(self._server, settings, self._instance)
        self._program = os.path.abspath(sys.argv[0])
        self._news = threading.Condition()
        self._running = {}
        self._ended = {}
        self._asked = 0
        self._busy_until = time.monotonic()
        self._over = None
        self._terminated = False

    def run(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._terminate)
        try:
            take(self._delivery, self._settings, True, lambda: self._terminated)
        except NoPlace as none:
            say(none)
            return none.exit_code
        self._delivery.beats(lambda: self._end('it is not needed any more'), self._end)
        self._program = _as_files(self._program, self._settings.scratch)
        threading.Thread(target=self._take, name='work', daemon=True).start()
        self._await_end()
        self._end_all()
        self._delivery.limit(self._settings.farewell)
        try:
            self._delivery.end(TOLD_TO_END if self._terminated else 0, self._over)
        except (Unreachable, Refused, Gone) as error:
            say('its end could not be told: %s' % error)
        return TOLD_TO_END if self._terminated else 0

    # What is to be done.

    def _take(self):
        pause = Pause()
        while self._over is None:
            since = time.monotonic()
            try:
                if not self._tell() and time.monotonic() - since < _QUICK:
                    # A server that is about to go holds nothing back.
                    time.sleep(_QUICK)
                pause.reset()
            except Unreachable:
                pause.take(self._server)
            except Refused as refusal:
                if refusal.status in (404, 409, 410):
                    self._end('the server does not know it any more: %s' % refusal)
                    return
                pause.take(self._server)

    def _tell(self):
        """Says how things are and does what the server says to that; whether anything was done.

        One thread alone does, so that no answer is older than the next.
        """
        with self._news:
            ended = dict(self._ended)
            self._asked += 1
            question = {'keeper': self._settings.keeper, 'instance': self._instance, 'number': self._asked,
                        'running': sorted(self._running), 'ended': ended}
        answer = self._server.ask('POST', '/keeper/work', question, within=90.0)
        with self._news:
            for key in ended:
                # The server has it.
                self._ended.pop(key, None)
            orders = [work for work in answer.get('start', ()) if self._over is None
                      and work['key'] not in self._running and work['key'] not in self._ended]
            if orders and not self._has_room():
                # The server starts them elsewhere when this is over; what runs here comes to its end first.
                if not self._running:
                    self._end('there is no room on its disk for one more')
                else:
                    self._news.wait(_CROWDED)
                return False
            for work in orders:
                self._start(work)
            return bool(orders)

    def _has_room(self):
        path = os.path.join(self._settings.scratch, 'room')
        try:
            os.makedirs(self._settings.scratch, 0o700, exist_ok=True)
            try:
                with open(path, 'wb') as file:
                    file.write(bytes(_ROOM))
            finally:
                os.unlink(path)
            return True
        except OSError:
            return False

    def _start(self, work):
        key = work['key']
        variables = {name: value for name, value in os.environ.items()
                     if name not in _OWN and not name.startswith(('ORRERY_PARAM_', 'NNI_TRIAL_'))}
        variables.update(work['variables'])
        settings = self._settings
        if settings.other_urls is None or settings.ports:
            # From here there may be no way to any other server, and this one may be behind another name.
            variables['ORRERY_URL'] = self._server.url
            variables['ORRERY_KEEPER_AGENT'] = self._server.agent or ''
            variables.pop('ORRERY_KEEPER_OTHER_URLS', None)
            if settings.other_urls is not None:
                variables['ORRERY_KEEPER_OTHER_URLS'] = ''
        if settings.code_directory and settings.code == variables.get('ORRERY_CODE'):
            # It is here already.
            variables['ORRERY_CODE_DIRECTORY'] = settings.code_directory
        variables['ORRERY_TRIAL_TOKEN'] = work['token']
        try:
            os.makedirs(settings.scratch, 0o700, exist_ok=True)
            # The keeper removes it at its end, and with it all that the attempt has left here.
            home = tempfile.mkdtemp(prefix='orrery-', dir=settings.scratch)
            variables['ORRERY_KEEPER_HOME'] = variables[_MARK] = home
            process = subprocess.Popen([sys.executable or 'python3', self._program], env=variables,
                                       stdin=subprocess.DEVNULL, start_new_session=True)
        except OSError as error:
            self._ended[key] = 127
            say('%s could not be started: %s' % (key, error))
            return
        self._running[key] = process
        threading.Thread(target=self._await, args=(key, process, home), name=key, daemon=True).start()

    def _await(self, key, process, home):
        code = process.wait()
        if code < 0:
            # It could not end what it had started, nor remove anything. The next attempt must meet nothing of it.
            end_marked(_MARK, home, self._settings.grace)
            shutil.rmtree(home, ignore_errors=True)
        with self._news:
            del self._running[key]
            self._ended[key] = code if code >= 0 else 128 - code
            self._busy_until = time.monotonic()
            self._news.notify_all()

    # The end.

    def _await_end(self):
        with self._news:
            while self._over is None and not self._terminated:
                idle = time.monotonic() - self._busy_until
                if self._running:
                    idle = 0
                if idle >= self._settings.idle:
                    self._over = 'nothing was to be done for %g s' % self._settings.idle
                self._reap()
                # A signal wakes no thread that waits for a lock.
                self._news.wait(0.5)
            if self._over is None:
                self._over = 'it was told to end (SIGTERM)'

    def _reap(self):
        """Takes leave of orphans: this may be the first process of a container. Keepers have a parent that waits for them."""
        ours = {process.pid for process in self._running.values()}
        while True:
            try:
                found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return
            if found is None or found.si_pid in ours:
                return
            os.waitpid(found.si_pid, 0)

    def _end(self, why):
        with self._news:
            self._over = self._over or why
            self._news.notify_all()

    def _terminate(self, number, frame):
        self._terminated = True

    def _end_all(self):
        """Keepers end their commands and deliver; who takes too long for that is killed."""
        self._signal(signal.SIGTERM)
        until = time.monotonic() + self._settings.grace + self._settings.farewell
        with self._news:
            while self._running and time.monotonic() < until:
                self._news.wait(0.5)
        self._signal(signal.SIGKILL)

    def _signal(self, number):
        with self._news:
            for process in self._running.values():
                try:
                    os.killpg(process.pid, number)
                except OSError:
                    pass
