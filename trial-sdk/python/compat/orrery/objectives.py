"""Evaluates an objective for the trials of a search, in forked processes or in this one."""

import inspect
import json
import multiprocessing
import os
import selectors
import shutil
import signal
import socket
import sys
import tempfile
import traceback

from . import reporting

_GRACE = 5.0
_LONGEST = 1 << 24

RELAY = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'relay.py')


class ObjectiveHost:
    """Listens for trials on a Unix socket that this user alone can open.

    directory  where trials start; it holds nothing but the socket
    """

    def __init__(self, objective, processes=True):
        """``objective(parameters)`` answers with a number or a dict that has ``default``; with ``processes`` each evaluation
        has a fork of this process, so that they run at once and cannot disturb each other."""
        self._objective = objective
        self._processes = processes
        self._running = {}
        self.directory = tempfile.mkdtemp(prefix='orrery-')
        self.path = os.path.join(self.directory, 's')
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listening.bind(self.path)
        self._listening.listen(128)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listening, selectors.EVENT_READ)

    def serve(self, seconds):
        """Takes trials for some time: for as long as it lasts when they are evaluated in this process."""
        for key, _ in self._selector.select(seconds):
            present = self._selector.get_map().get(key.fd)
            if present is None or present.data is not key.data:
                continue  # Its evaluation has ended in this round, and another one may have its number.
            if key.fileobj is self._listening:
                self._accept()
            elif key.data.sentinel == key.fileobj:
                self._reap(key.fileobj)
            else:
                self._trial_has_ended(key.fileobj, key.data)

    def _accept(self):
        link, _ = self._listening.accept()
        parameters = _parameters(link)
        if parameters is None:
            link.close()
        elif self._processes:
            self._fork(link, parameters)
        else:
            with link:
                evaluate(self._objective, parameters, link)

    def _fork(self, link, parameters):
        process = multiprocessing.get_context('fork').Process(target=self._in_fork, args=(link, parameters))
        process.start()
        self._running[process.sentinel] = (process, link)
        self._selector.register(process.sentinel, selectors.EVENT_READ, process)
        # A trial sends nothing more: what comes is the end of its connection.
        self._selector.register(link, selectors.EVENT_READ, process)

    def _in_fork(self, link, parameters):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, _stop_trial)
        self._selector.close()
        self._listening.close()
        # Copies of other links would keep their trials from seeing that an evaluation has ended.
        for _, other in self._running.values():
            other.close()
        try:
            with link:
                evaluate(self._objective, parameters, link)
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
        except reporting.TrialStopped:
            pass  # It was over already, or was telling why it failed.

    def _trial_has_ended(self, link, process):
        """It was stopped, or was told its result: an objective that still runs is of no use."""
        self._selector.unregister(link)
        process.terminate()

    def _reap(self, sentinel):
        self._selector.unregister(sentinel)
        process, link = self._running.pop(sentinel)
        process.join()
        if self._selector.get_map().get(link.fileno()) is not None:
            self._selector.unregister(link)
        link.close()

    def close(self):
        """Ends what is evaluated and lets no trial in any more."""
        self._selector.close()
        self._listening.close()
        for process, _ in self._running.values():
            process.terminate()
        for process, link in self._running.values():
            process.join(_GRACE)
            process.kill()
            process.join()
            link.close()
        shutil.rmtree(self.directory, ignore_errors=True)


def _stop_trial(number, frame):
    raise reporting.TrialStopped()


def _parameters(link):
    """The parameters of the trial that has connected; None when it has gone."""
    link.settimeout(_GRACE)
    with link.makefile('r', encoding='utf-8', newline='\n') as lines:
        try:
            asked = json.loads(lines.readline(_LONGEST) or 'null')
        except (OSError, ValueError):
            return None
    link.settimeout(None)
    return None if asked is None else asked['parameters']


def evaluate(objective, parameters, link):
    """One evaluation: tells the link what becomes of it."""
    lines = link.makefile('w', encoding='utf-8', newline='\n')

    def tell(what):
        lines.write(json.dumps(what) + '\n')
        lines.flush()

    def report(value):
        try:
            tell({'report': plain(value)})
        except OSError:
            raise reporting.TrialStopped() from None

    reporting.listen(report)
    try:
        value = plain(objective(parameters))
        tell({'final': value})
    except reporting.TrialStopped:
        pass
    except OSError:
        _tell_if_possible(tell, traceback.format_exc())
    except Exception:
        _tell_if_possible(tell, traceback.format_exc())
    finally:
        reporting.listen(None)
        try:
            lines.close()
        except OSError:
            pass


def _tell_if_possible(tell, text):
    try:
        tell({'error': text})
    except OSError:
        sys.stderr.write(text)


def plain(value):
    """A number, also of NumPy's or a tensor of one element, or a dict of them."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, bool) or value is None or isinstance(value, str):
        raise TypeError('an objective answers with a number, or with a dict that has one under "default", not %r' % (value,))
    if isinstance(value, (int, float)):
        return value
    if hasattr(value, 'item'):
        return plain(value.item())
    return float(value)


def check(objective):
    """TypeError when it cannot be called with the parameters alone."""
    if not callable(objective):
        raise TypeError('an objective is a function of the parameters, or a command as text, not %r' % (objective,))
    try:
        inspect.signature(objective).bind({})
    except ValueError:
        pass
    except TypeError:
        raise TypeError('%r cannot be called with one dict of parameters' % (objective,)) from None
