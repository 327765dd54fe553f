"""The life of a keeper, from its claim to its exit code."""

import os
import select
import shutil
import signal
import threading

from . import code
from .channel import Channel
from .delivery import Delivery, Gone
from .event_files import EventFiles
from .further_sets import FurtherSets
from .metrics_file import MetricsFile
from .output import Output
from .place import NO_CODE, NoPlace, TOLD_TO_END, say, take
from .process import Command
from .reports import Lines, MisplacedLines, Reports
from .server import Refused, Server, Unreachable
from .spool import Spool

_PIPES = 5.0
_FILES = 0.5
_OUR_OWN = ('ORRERY_KEEPER_', 'ORRERY_COMMAND', 'ORRERY_CODE', 'ORRERY_OUTPUT_', 'ORRERY_ATTEMPT')


def keep(settings):
    """Runs the user's command as the settings say; the exit code for this process."""
    try:
        return _Keeper(settings).run()
    finally:
        shutil.rmtree(settings.scratch, ignore_errors=True)


class _Keeper:
    def __init__(self, settings):
        self._settings = settings
        self._instance = os.urandom(8).hex()
        self._directory = settings.directory
        self._output = (os.path.join(settings.shared_directory, 'nnioutput') if settings.shared_directory
                        else os.path.join(settings.directory, 'output'))
        self._server = Server(settings.url, settings.token, settings.other_urls, settings.ports,
                              settings.agent)
        self._delivery = Delivery(self._server, settings, self._instance)
        # Set by a signal, or by the server; looked at by the main thread, which sleeps on the pipe.
        self._terminated = False
        self._canceled = threading.Event()
        self._gone = None
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)
        os.set_blocking(self._wake_read, False)

    def run(self):
        self._listen_to_signals()
        try:
            until = take(self._delivery, self._settings, self._settings.primary, lambda: self._terminated,
                         parameters=True)
        except NoPlace as none:
            say(none)
            return none.exit_code
        self._delivery.beats(self._cancel, self._lose)
        try:
            record = self._prepare(until)
        except (Unreachable, Refused, code.BadCode, OSError) as error:
            say('the command was not started: %s' % error)
            return self._finish(NO_CODE, 'the command was not started: %s' % error)
        if self._terminated or self._canceled.is_set():
            return self._finish(TOLD_TO_END, 'it was to end before the command started')
        return self._keep(record)

    def _prepare(self, until):
        """Makes the directory; the text of the parameter record."""
        os.makedirs(os.path.join(self._directory, '.nni'), 0o700)
        storage = self._settings.storage
        if storage and not os.path.isdir(storage):
            raise OSError('there is no directory %s here: the shared storage is not mounted' % storage)
        # One that is shared may be there from a try before.
        os.makedirs(self._output, exist_ok=storage is not None)
        record = self._delivery.parameters(until)
        with open(os.path.join(self._directory, 'parameter.cfg'), 'w', encoding='utf-8') as file:
            file.write(record)
        settings = self._settings
        self._code = os.path.join(self._directory, 'code')
        if settings.code_archive:
            code.open_archive(settings.code_archive, settings.code, self._code)
        elif settings.code_directory:
            code.copy(settings.code_directory, self._code)
        elif settings.code:
            code.fetch(self._server, settings.code, self._code, until)
        else:
            # It is in the image.
            self._code = os.getcwd()
        return record

    def _keep(self, record):
        settings = self._settings
        waiting = Spool(self._path('.nni', 'reports'), settings.spool)
        reports = Reports(settings, waiting)
        file = MetricsFile(self._path('.nni', 'metrics'), reports)
        events = EventFiles(self._output, settings.keeper, reports) if settings.event_files else None
        channel = Channel(reports, record)
        spools = [Spool(self._path('.nni', name), settings.spool) for name in ('stdout', 'stderr')]
        misplaced = MisplacedLines()
        out = Output('stdout', 1, spools[0], Lines(reports, 'stdout'), self._copy('stdout'))
        err = Output('stderr', 2, spools[1], misplaced, self._copy('stderr'))
        sets = (FurtherSets(self._directory, record, self._delivery, waiting, reports, out) if settings.multi_phase
                else None)
        try:
            command = Command(settings.command, self._environment(channel.url), self._code,
                              out.target, err.target, self._instance)
        except OSError as error:
            return self._finish(NO_CODE, 'the command could not be started: %s' % error)
        out.start()
        err.start()
        if sets:
            sets.start()
        self._delivery.reports(waiting)
        self._delivery.logs([('stdout', spools[0]), ('stderr', spools[1]),
                             ('trial', os.path.join(self._output, 'trial.log'))])
        over = threading.Event()
        files = threading.Thread(target=self._read_file, args=(file, events, over), name='file', daemon=True)
        files.start()

        killed = self._await_end(command)
        self._delivery.hold()
        for stream in (out, err):
            stream.finish(_PIPES)
        over.set()
        files.join()
        file.read(at_end=True)
        if events:
            events.read(at_end=True)
        channel.close()
        reasons = ['it was told to end (SIGTERM)' if self._terminated else None, self._gone,
                   'a process did not end within %g s of SIGTERM and was killed' % settings.grace if killed else None]
        reasons += [reports.complaint(), misplaced.complaint()]
        reasons += ['in its event files %d records were damaged' % events.damaged if events and events.damaged else None]
        reasons += ['%d bytes of %s were dropped' % (stream.dropped, stream.name) if stream.dropped else None
                    for stream in (out, err)]
        return self._finish(command.exit_code, '; '.join(reason for reason in reasons if reason) or None)

    def _await_end(self, command):
        """Waits for the command and ends all of it; whether something had to be killed."""
        while command.exit_code is None and not (self._terminated or self._canceled.is_set()):
            select.select([self._wake_read], [], [], 5.0)
            self._clear()
            command.reap()
        # What the command left behind ends as well, as it would with its container.
        return command.end(self._settings.grace) if command.is_left() else False

    def _finish(self, exit_code, reason):
        """Delivers what there is, tells the end, and gives the exit code back."""
        if not self._gone:
            if not self._terminated:
                self._delivery.limit(self._settings.patience)
            complete = self._delivery.finish()
            try:
                if self._settings.upload:
                    self._delivery.outputs(self._output, ('trial.log',))
                if complete:
                    self._delivery.end(exit_code, reason)
                else:
                    self._delivery.let_go()
            except (Unreachable, Refused, Gone) as error:
                say('not everything could be delivered: %s' % error)
        self._copy_outputs()
        return exit_code

    # What is told from outside.

    def _listen_to_signals(self):
        signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        # A handler of its own, or the signal would not wake the main thread.
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._terminate)

    def _terminate(self, number, frame):
        if not self._terminated:
            self._terminated = True
            self._delivery.limit(self._settings.grace + self._settings.farewell)

    def _cancel(self):
        self._canceled.set()
        self._wake()

    def _lose(self, why):
        self._gone = 'the server does not know this attempt any more: %s' % why
        self._delivery.limit(0)
        self._cancel()

    def _wake(self):
        try:
            os.write(self._wake_write, b'\0')
        except OSError:
            # The pipe is full, so the main thread wakes anyway.
            pass

    def _clear(self):
        try:
            while os.read(self._wake_read, 4096):
                pass
        except OSError:
            pass

    # What the command sees.

    def _environment(self, channel):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(_OUR_OWN)}
        environment['NNI_SYS_DIR'] = self._directory
        environment['NNI_OUTPUT_DIR'] = self._output
        environment['NNI_CODE_DIR'] = self._code
        if not self._settings.multi_phase:
            # What is asked for on the channel has no number. Without it every SDK takes files and stdout.
            environment['NNI_TRIAL_COMMAND_CHANNEL'] = channel
        environment['PWD'] = self._code
        path = os.path.join(self._sdk(), 'compat')
        if environment.get('PYTHONPATH'):
            path += os.pathsep + environment['PYTHONPATH']
        environment['PYTHONPATH'] = path
        return environment

    def _sdk(self):
        """The directory of what trials import; unpacked when the keeper is one file."""
        program = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        if not os.path.isfile(program):
            unpacked = os.path.join(program, 'sdk')
            return unpacked if os.path.isdir(unpacked) else program
        import zipfile
        target = self._path('.nni', 'sdk')
        with zipfile.ZipFile(program) as archive:
            for name in archive.namelist():
                if name.startswith('sdk/'):
                    archive.extract(name, os.path.dirname(target))
        return target

    def _read_file(self, file, events, over):
        while not over.wait(_FILES):
            file.read()
            if events:
                events.read()

    # Storage that is mounted here.

    def _copy(self, name):
        directory = self._settings.output_directory or self._settings.shared_directory
        if not directory:
            return None
        try:
            os.makedirs(directory, exist_ok=True)
        except OSError as error:
            self._delivery.complaints.append('%s could not be written to %s: %s' % (name, directory, error))
            return None
        return os.path.join(directory, name)

    def _copy_outputs(self):
        if self._settings.output_directory and os.path.isdir(self._output):
            target = os.path.join(self._settings.output_directory, 'output')
            whole = '%s.%s' % (target, self._instance)
            try:
                # Whole before it stands in the place of one from a try before.
                shutil.copytree(self._output, whole, symlinks=True)
                shutil.rmtree(target, ignore_errors=True)
                os.rename(whole, target)
            except OSError as error:
                say('outputs could not be copied to %s: %s' % (target, error))
                shutil.rmtree(whole, ignore_errors=True)

    def _path(self, *names):
        return os.path.join(self._directory, *names)
