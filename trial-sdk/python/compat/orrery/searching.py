"""Runs a search: creates it on a server, evaluates its objective here, follows it to its end."""

import os
import shlex
import sys
import time

from nni.experiment import server as servers

from . import objectives, shipping, space as spaces
from .study import Study, report_html, words

_OVER = ('DONE', 'STOPPED', 'FAILED', 'ERROR', 'VIEWED')
_LOOK = 1.0
_GRACE = 30.0
_ELSEWHERE_AT_ONCE = 4
_IN_THIS_PROCESS = 'processes=False evaluates in this process, and not where the server runs trials: leave it out'

_stops_at_call = False


class SearchReached(BaseException):
    """A trial has run a script up to its search, which is under way already."""


def stop_at_call():
    """Has calls of ``search`` raise ``SearchReached``: this process is a trial of it."""
    global _stops_at_call
    _stops_at_call = True


def search(objective, space, trials=100, *, direction='maximize', parallel=None, timeout=None, tuner='Auto', options=None,
           early_stopping=None, seed=None, name=None, project=None, code=None, processes=True, on_server=None, python='python3',
           training_service=None, url=None, token=None, show=True):
    """Searches for the parameters with the best result, and answers with the finished ``Study``.

    objective       a function of a dict of parameters: it answers with a number, or a dict that has one under ``default``,
                    may call ``orrery.report`` on its way, and fails by an exception. Or a command as text, such as
                    ``'python3 train.py'``, which uses ``nni`` or ``orrery.report`` and starts in ``code``
    space           a dict of parameters: ``orrery.uniform(0, 1)``, ``orrery.choice('a', 'b')``, a list to choose from …
    trials          how many; None for no limit but ``timeout``
    direction       ``'maximize'`` or ``'minimize'``
    parallel        how many at once; by default one for each core, at most 8
    timeout         seconds, or a text such as ``'2h'``
    tuner, options  an algorithm of the server and its options; ``Auto`` needs none
    early_stopping  an assessor such as ``'Medianstop'``: trials that report little are stopped
    code            the directory of a command, by default this one; with ``on_server`` also that of a function's file, where
                    the file alone is not enough
    processes       False evaluates a function in this process, one trial after the other
    on_server       whether a function is evaluated where the server runs trials: its file is sent there, and each trial runs
                    it up to the call of ``search``. By default when the server is not on this machine
    python          the interpreter there
    training_service  where trials run, as ``trainingService`` of an experiment file; ``{'platform': 'local'}`` by default
    url, token      of the server; by default ORRERY_URL, the server of this machine, or one that is started
    show            whether progress is shown, in a terminal as a line and in a notebook as a picture

    ValueError or RuntimeError says all that is wrong. Ctrl-C stops the search and raises KeyboardInterrupt.
    """
    if _stops_at_call:
        raise SearchReached()
    if direction not in ('maximize', 'minimize'):
        raise ValueError("direction is 'maximize' or 'minimize', not %r" % (direction,))
    if trials is None and timeout is None:
        raise ValueError('give trials, timeout, or both')
    command = isinstance(objective, str)
    if not command:
        objectives.check(objective)
        if not processes and (on_server or training_service is not None):
            raise ValueError(_IN_THIS_PROCESS)
        if not processes and parallel not in (None, 1):
            raise ValueError('processes=False evaluates one trial after the other: leave parallel out')
        if on_server is False and training_service is not None:
            raise ValueError('training_service says where trials run, and on_server=False that they run here')
    config = {
        'experimentName': name or (objective if command else getattr(objective, '__name__', 'search')),
        'searchSpace': spaces.as_json(space),
        'tuner': {'name': tuner, 'classArgs': dict(options or {}, optimize_mode=direction)},
        'trainingService': dict(training_service or {'platform': 'local'}),
    }
    if trials is not None:
        config['maxTrialNumber'] = trials
    if timeout is not None:
        config['maxExperimentDuration'] = timeout if isinstance(timeout, str) else '%ds' % max(1, round(timeout))
    if early_stopping is not None:
        config['assessor'] = {'name': early_stopping, 'classArgs': {'optimize_mode': direction}}
    if seed is not None:
        config['seed'] = seed
    server = servers.Server(url, token) if url else servers.find(8080)
    if on_server is None:
        on_server = training_service is not None or shipping.is_elsewhere(server)
    if on_server and not command and not processes:
        raise ValueError(_IN_THIS_PROCESS)
    host = None
    try:
        if on_server:
            shipment = (shipping.of_command(objective, code or '.') if command
                        else shipping.of_function(objective, code, python))
            config.update(trialCommand=shipment.command, trialCodeDirectory=shipment.send(server),
                          trialConcurrency=parallel or _ELSEWHERE_AT_ONCE)
        elif command:
            config.update(trialCommand=objective, trialCodeDirectory=os.path.abspath(code or '.'),
                          trialConcurrency=parallel or _cores())
        else:
            host = objectives.ObjectiveHost(objective, processes)
            relay = (sys.executable, objectives.RELAY, host.path)
            config.update(trialCommand=' '.join(map(shlex.quote, relay)), trialCodeDirectory=host.directory,
                          trialConcurrency=parallel or (_cores() if processes else 1))
        query = {} if project is None else {'project': project}
        created = server.call('POST', '/api/v1/experiments', config, **query)
        study = Study(server, created['id'], direction == 'maximize')
        _follow(study, host, _progress(direction == 'maximize', study) if show else _Silent())
        return study
    finally:
        if host is not None:
            host.close()


def _cores():
    return min(8, os.cpu_count() or 1)


def load(id, url=None, token=None):
    """A search that is on a server already."""
    server = servers.Server(url, token) if url else servers.find(8080)
    study = Study(server, id, True)
    config = study.shape().get('config') or {}
    arguments = (config.get('tuner') or {}).get('classArgs') or {}
    study._maximize = arguments.get('optimize_mode', 'maximize') == 'maximize'
    return study


def _follow(study, host, progress):
    try:
        while True:
            shape = study.shape()
            progress.show(shape)
            if shape['status'] in _OVER:
                break
            _wait(host)
    except BaseException:
        _stop(study, host)
        raise
    finally:
        progress.end()
    if shape['status'] in ('FAILED', 'ERROR'):
        reasons = {trial.reason for trial in study.trials if trial.reason}
        raise RuntimeError('the search is %s: %s' % (shape['status'], shape.get('error') or '; '.join(sorted(reasons)[:3])))


def _wait(host):
    if host is None:
        time.sleep(_LOOK)
        return
    until = time.monotonic() + _LOOK
    while time.monotonic() < until:
        host.serve(max(0.0, until - time.monotonic()))


def _stop(study, host):
    """Stops the search whose process is interrupted; its trials end before their objectives are gone."""
    try:
        study.stop()
        until = time.monotonic() + _GRACE
        while study.status not in _OVER and time.monotonic() < until:
            time.sleep(0.2)
    except (OSError, RuntimeError) as error:
        sys.stderr.write('the search %s was not stopped: %s\n' % (study.id, error))


class _Silent:
    def show(self, shape):
        pass

    def end(self):
        pass


class _Line:
    """Progress as a line that is written over in a terminal, and as a line for each change elsewhere."""

    def __init__(self):
        self._last = ''
        self._terminal = sys.stderr.isatty()

    def show(self, shape):
        line = words(shape)
        if line != self._last:
            sys.stderr.write(('\r\x1b[K%s' if self._terminal else '%s\n') % line)
            sys.stderr.flush()
            self._last = line

    def end(self):
        if self._terminal and self._last:
            sys.stderr.write('\n')


class _Picture:
    """Progress in a notebook: one output that is drawn anew."""

    def __init__(self, display, maximize, study):
        self._display = display
        self._maximize = maximize
        self._study = study
        self._handle = None
        self._last = ''

    def show(self, shape):
        line = words(shape)
        if line == self._last:
            return
        self._last = line
        picture = {'text/html': report_html(shape, self._study.trials, self._maximize, self._study.url), 'text/plain': line}
        if self._handle is None:
            self._handle = self._display(picture, raw=True, display_id=True)
        else:
            self._handle.update(picture, raw=True)

    def end(self):
        pass


def _progress(maximize, study):
    try:
        from IPython import get_ipython
        from IPython.display import display
        if getattr(get_ipython(), 'kernel', None) is not None:
            return _Picture(display, maximize, study)
    except ImportError:
        pass
    return _Line()
