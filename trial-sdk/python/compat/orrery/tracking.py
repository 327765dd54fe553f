"""Logs metrics, parameters and files: of a trial to its experiment, of any other script to a tracked run of a server."""

import atexit
import math
import os
import sys
import threading
import time
from urllib.parse import quote

from . import reporting

_API = '/api/2.0/mlflow/'
_FILES = '/api/2.0/mlflow-artifacts/artifacts/'
_PERIOD = 1.0
_LONGEST_NAME = 250
_BATCH = 1000
_MOST_WAITING = 100000

_current = None
_lock = threading.RLock()


def log(metrics, step=None):
    """Logs numbers by their names, such as ``orrery.log({'loss': 0.3, 'accuracy': 0.9})``.

    In a trial, and in an objective of ``orrery.search``, that is an intermediate result: what is named ``default``, else the
    first number, is what the search looks at. In any other script it goes to the run that ``orrery.track`` has begun, or to
    one that is begun for it. ``step`` counts from 0 when it is left out.
    """
    numbers = _numbers(metrics)
    # A step of a pipeline has a trial's variables as well, and no search that would look at a result.
    trial = os.environ.get('NNI_TRIAL_JOB_ID') and not os.environ.get('ORRERY_RUN')
    if reporting.listening() or trial:
        reporting.report(dict(numbers) if 'default' in numbers else dict(numbers, default=next(iter(numbers.values()))))
        return
    with _lock:
        run = _current or track()
    run.log(numbers, step)


def track(name=None, params=None, experiment='Default', project=None, url=None, token=None):
    """Begins a tracked run, to which ``orrery.log`` goes from now on; it ends with the script, or as a context manager.

    name        of the run; by default that of the script
    params      a dict of what it depends on
    experiment  the name of a group of runs, which is made when it is not there
    project     of a new experiment; by default ``public``
    """
    from nni.experiment import server as servers
    global _current
    server = servers.Server(url, token) if url else servers.find(8080)
    run = Run(server, name or os.path.basename(sys.argv[0] or '') or 'notebook', experiment, project)
    if params:
        run.params(params)
    with _lock:
        _current = run
    return run


class Run:
    """A tracked run of a server: what MLflow's clients see as one, too.

    id   its id
    url  the page of the server
    """

    def __init__(self, server, name, experiment='Default', project=None):
        self._server = server
        if project is not None:
            # Without it the name of a group would be looked up in public first.
            server.headers = {'Orrery-Project': project}
        self._waiting = []
        self._steps = {}
        self._sent = time.monotonic()
        self._ended = False
        self._lock = threading.Lock()
        found = self._call('runs/create', {
            'experiment_id': self._experiment(experiment, project), 'run_name': name, 'start_time': _now()})['run']['info']
        self.id = found['run_id']
        self.url = server.url
        self._artifacts = found['artifact_uri'].split(':', 1)[-1].strip('/')
        atexit.register(self._at_exit)

    def _call(self, path, body):
        return self._server.call('POST', _API + path, body)

    def _experiment(self, name, project):
        try:
            found = self._server.call('GET', _API + 'experiments/get-by-name', experiment_name=name)['experiment']
            return found['experiment_id']
        except RuntimeError:
            tags = [] if project is None else [{'key': 'orrery.project', 'value': project}]
            return self._call('experiments/create', {'name': name, 'tags': tags})['experiment_id']

    def log(self, metrics, step=None):
        """Logs numbers by their names. They are sent once a second; a server that is away is asked again at the next."""
        numbers = _numbers(metrics)
        for key in numbers:
            _check_name(key)
        with self._lock:
            now = _now()
            for key, value in numbers.items():
                at = self._steps.get(key, -1) + 1 if step is None else int(step)
                self._steps[key] = at
                self._waiting.append({'key': key, 'value': _json(value), 'timestamp': now, 'step': at})
            due = len(self._waiting) >= _BATCH or time.monotonic() - self._sent > _PERIOD
        if due:
            try:
                self.flush()
            except (OSError, RuntimeError) as error:
                if len(self._waiting) > _MOST_WAITING:
                    raise
                sys.stderr.write('could not log to %s, trying again: %s\n' % (self.url, error))

    def flush(self):
        """Sends what waits; it is durable when this returns."""
        with self._lock:
            self._sent = time.monotonic()
            while self._waiting:
                part = self._waiting[:_BATCH]
                self._call('runs/log-batch', {'run_id': self.id, 'metrics': part})
                del self._waiting[:len(part)]

    def params(self, params):
        """Stores what the run depends on; a parameter has one value for good."""
        self._call('runs/log-batch', {
            'run_id': self.id, 'params': [{'key': str(key), 'value': str(value)} for key, value in params.items()]})

    def tag(self, key, value):
        """Tags it."""
        self._call('runs/set-tag', {'run_id': self.id, 'key': key, 'value': str(value)})

    def artifact(self, path, name=None):
        """Uploads a file."""
        with open(path, 'rb') as file:
            self._server.call('PUT', _FILES + quote('%s/%s' % (self._artifacts, name or os.path.basename(path))), file.read(),
                              'application/octet-stream')

    def end(self, status='FINISHED'):
        """Ends it: FINISHED, FAILED or KILLED. What waits is sent before."""
        global _current
        if self._ended:
            return
        self.flush()
        self._call('runs/update', {'run_id': self.id, 'status': status, 'end_time': _now()})
        self._ended = True
        atexit.unregister(self._at_exit)
        with _lock:
            if _current is self:
                _current = None

    def _at_exit(self):
        try:
            self.end('FAILED' if getattr(sys, 'last_type', None) is not None else 'FINISHED')
        except (OSError, RuntimeError) as error:
            sys.stderr.write('could not end the run %s: %s\n' % (self.id, error))

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.end('FINISHED' if kind is None else 'KILLED' if kind is KeyboardInterrupt else 'FAILED')

    def __repr__(self):
        return 'Run(id=%r, url=%r)' % (self.id, self.url)


def _check_name(key):
    """Refuses a name that the server would refuse, here, so that the numbers beside it are not lost with it."""
    parts = key.split('/')
    plain = all(sign.isalnum() or sign in '_-. :/' for sign in key)
    if not plain or not key.strip() or len(key) > _LONGEST_NAME or {'.', '..'} & set(parts) or '' in (parts[0], parts[-1]):
        raise ValueError("%r is no name of a metric: names have letters, digits, '_', '-', '.', ' ', ':' and '/'" % key)


def _numbers(metrics):
    if not isinstance(metrics, dict) or not metrics:
        raise TypeError("orrery.log takes a dict such as {'loss': 0.3}, not %r" % (metrics,))
    return {str(key): _number(key, value) for key, value in metrics.items()}


def _number(key, value):
    if hasattr(value, 'item'):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError('%r is no number: %r' % (key, value))
    return value


def _json(value):
    if math.isfinite(value):
        return value
    return 'NaN' if math.isnan(value) else 'Infinity' if value > 0 else '-Infinity'


def _now():
    return int(1000 * time.time())
