"""Pipelines of Python functions::

    @orrery.task
    def prepare(rows):
        return list(range(rows))

    @orrery.task(retry=2)
    def total(numbers, scale):
        return sum(numbers) * scale

    @orrery.pipeline
    def sums(scale=2.0):
        total(prepare(100), scale)

    run = sums.run(scale=3.0).wait()
    print(run.result('total'))

A task becomes a step with a program of its own: its function is taken as it is written, so it imports what it needs itself
and uses nothing from outside of it. Outside of a pipeline a task is the function that it was.
"""

import functools
import inspect
import json
import pickle
import time
from urllib.parse import quote

from . import source

_TYPES = {bool: 'bool', int: 'int', float: 'float', str: 'string'}
_OVER = ('SUCCEEDED', 'FAILED', 'STOPPED')
_RESULT = 'result'
_LOOK = 0.5

_building = None

# What stands before and after the function in the program of a step: arguments come from files and variables, the result is
# written as JSON where that gives the same again, and pickled otherwise.
_PROLOGUE = '''\
import json as _json, os as _os, pickle as _pickle
def _orrery_read(path):
    with open(path, 'rb') as file:
        kind = file.read(1)
        return _json.loads(file.read().decode()) if kind == b'j' else _pickle.loads(file.read())
def _orrery_argument(kind, what):
    if kind == 'input':
        return _orrery_read(_os.path.join(_os.environ['ORRERY_INPUTS'], what))
    if kind == 'inputs':
        return [_orrery_read(_os.path.join(_os.environ['ORRERY_INPUTS'], each)) for each in what]
    if kind == 'parameter':
        text = _os.environ['ORRERY_PARAM_' + what[0].upper()]
        return {'int': int, 'float': float, 'bool': lambda t: t.lower() == 'true', 'string': str}[what[1]](text)
    return what
def _orrery_write(value):
    try:
        text = _json.dumps(value)
        data = b'j' + text.encode() if _json.loads(text) == value else None
    except (TypeError, ValueError):
        data = None
    with open(_os.path.join(_os.environ['ORRERY_OUTPUTS'], 'result'), 'wb') as file:
        file.write(b'p' + _pickle.dumps(value, 4) if data is None else data)
'''
_EPILOGUE = '''
_orrery_write(%s(**{name: _orrery_argument(*each) for name, each in _json.loads(_os.environ['TASK_ARGUMENTS']).items()}))
'''


def task(function=None, **settings):
    """Makes a task of a function.

    Settings are those of a task of the document: ``retry`` (a number of attempts, or a dict), ``timeout='10m'``,
    ``cache='7d'`` (or a dict), ``env``, ``resources``, ``image``, ``when``, ``python`` (the interpreter; ``python3``).
    """
    if function is None:
        return functools.partial(task, **settings)
    return Task(function, settings)


def pipeline(function=None, **settings):
    """Makes a pipeline of a function that calls tasks. Its arguments are the parameters of the pipeline and have defaults.

    Settings are those of the document: ``name``, ``project``, ``parallelism``, ``schedule``, ``alerts`` …
    """
    if function is None:
        return functools.partial(pipeline, **settings)
    return Pipeline(function, settings)


class Task:
    """A function that can be a step."""

    def __init__(self, function, settings):
        functools.update_wrapper(self, function)
        self._function = function
        self._settings = dict(settings)
        self._python = self._settings.pop('python', 'python3')
        if getattr(function, '__closure__', None):
            raise ValueError('task %s uses %s from around it: give them as arguments'
                             % (function.__name__, ', '.join(function.__code__.co_freevars)))

    def __call__(self, *arguments, **named):
        if _building is None:
            return self._function(*arguments, **named)
        return _building.add(self, arguments, named)

    def program(self):
        """The program of the step."""
        return _PROLOGUE + source.text_of(self._function) + _EPILOGUE % self._function.__name__

    def document(self, name, arguments, named, parameters):
        """The step of a call."""
        bound = inspect.signature(self._function).bind(*arguments, **named)
        bound.apply_defaults()
        inputs, told, after = {}, {}, []
        for key, value in bound.arguments.items():
            told[key] = _argument(key, value, inputs, parameters)
        document = {'name': name, 'command': [self._python, '-c', self.program().replace('{{', '{{{{')],
                    'outputs': {_RESULT: {'path': _RESULT}}, 'env': {'TASK_ARGUMENTS': json.dumps(told).replace('{{', '{{{{')}}
        if inputs:
            document['inputs'] = inputs
        for key, value in self._settings.items():
            if key == 'retry' and isinstance(value, int):
                value = {'attempts': value}
            elif key == 'cache' and isinstance(value, str):
                value = {'for': value}
            elif key == 'env':
                value = dict(document['env'], **value)
            document[key] = value
        return document


def _argument(key, value, inputs, parameters):
    if isinstance(value, Step):
        inputs[key] = value.lookup()
        return ['input', key]
    if isinstance(value, (list, tuple)) and any(isinstance(each, Step) for each in value):
        names = ['%s_%d' % (key, number) for number in range(len(value))]
        for name, each in zip(names, value):
            if not isinstance(each, Step):
                raise TypeError('argument %s mixes results of tasks with other values' % key)
            inputs[name] = each.lookup()
        return ['inputs', names]
    if isinstance(value, Parameter):
        return ['parameter', [value.name, parameters[value.name]['type']]]
    try:
        json.dumps(value)
    except TypeError:
        raise TypeError('argument %s is %r: give a result of a task, a parameter, or what JSON can say' % (key, value)) from None
    return ['value', value]


class Step:
    """A call of a task in a pipeline: what it returns, for other calls.

    name  of the step
    """

    def __init__(self, name, document):
        self.name = name
        self._document = document

    def lookup(self):
        """Where its result is found."""
        return '{{tasks.%s.outputs.%s}}' % (self.name, _RESULT)

    def after(self, *others):
        """Has it start after others whose results it does not take."""
        self._document.setdefault('after', []).extend(other.name for other in others)
        return self

    def _no_value(self, *ignored):
        raise TypeError('the result of step %s is not there while the pipeline is put together: use it in a task' % self.name)

    __bool__ = __iter__ = __getitem__ = __float__ = __int__ = _no_value


class Parameter:
    """A parameter of a pipeline, for calls of tasks."""

    def __init__(self, name):
        self.name = name

    def __bool__(self):
        raise TypeError('parameter %s has no value while the pipeline is put together: use it in a task' % self.name)


class Pipeline:
    """A function whose calls of tasks are steps."""

    def __init__(self, function, settings):
        functools.update_wrapper(self, function)
        self._function = function
        self._settings = dict(settings)
        self.name = self._settings.pop('name', None) or function.__name__.replace('_', '-')
        self._parameters = {}
        self._tasks = []

    def add(self, called, arguments, named):
        """A step for a call."""
        plain = called.__name__.replace('_', '-')
        names = {each['name'] for each in self._tasks}
        name, number = plain, 1
        while name in names:
            number += 1
            name = '%s-%d' % (plain, number)
        document = called.document(name, arguments, named, self._parameters)
        self._tasks.append(document)
        return Step(name, document)

    def document(self):
        """The document, as ``orrery apply`` takes it."""
        global _building
        if _building is not None:
            raise RuntimeError('a pipeline cannot be put together in another one')
        self._parameters, self._tasks = {}, []
        for name, each in inspect.signature(self._function).parameters.items():
            if type(each.default) not in _TYPES:
                raise TypeError('parameter %s of %s needs a default that is a bool, int, float or str' % (name, self.name))
            self._parameters[name] = {'type': _TYPES[type(each.default)], 'default': each.default}
        _building = self
        try:
            self._function(**{name: Parameter(name) for name in self._parameters})
        finally:
            _building = None
        if not self._tasks:
            raise ValueError('pipeline %s calls no task' % self.name)
        document = dict(self._settings, kind='Pipeline', name=self.name, tasks=self._tasks)
        if self._parameters:
            document['parameters'] = self._parameters
        return document

    def save(self, url=None, token=None):
        """Stores it on the server as its next version, with all faults at once as a RuntimeError."""
        server = _server(url, token)
        server.call('PUT', '/api/v1/pipelines/' + quote(self.name, safe=''), self.document())
        return server

    def run(self, *, url=None, token=None, **parameters):
        """Stores it and starts a run of it."""
        server = self.save(url, token)
        unknown = sorted(set(parameters) - set(self._parameters))
        if unknown:
            raise TypeError('pipeline %s has no parameter %s' % (self.name, ', '.join(unknown)))
        texts = {name: json.dumps(value) if isinstance(value, bool) else str(value) for name, value in parameters.items()}
        started = server.call('POST', '/api/v1/pipelines/%s/run' % quote(self.name, safe=''), {'parameters': texts})
        return PipelineRun(server, started['id'])

    def __call__(self, *arguments, **named):
        """Runs the functions here, one after the other, without a server."""
        return self._function(*arguments, **named)


class PipelineRun:
    """A run of a pipeline on a server; it is read anew at each question."""

    def __init__(self, server, id):
        self._server = server
        self.id = id

    @property
    def url(self):
        """The page of the run."""
        return '%s/#/runs/%s' % (self._server.url, quote(self.id, safe=''))

    def shape(self):
        """The run as the server's API shows it."""
        return self._server.call('GET', '/api/v1/runs/' + quote(self.id, safe=''))

    @property
    def status(self):
        """ACCEPTED, RUNNING, SUCCEEDED, FAILED …"""
        return self.shape()['status']

    def wait(self, timeout=None):
        """Waits until it is over. RuntimeError says which steps have failed and why; TimeoutError after some seconds."""
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            shape = self.shape()
            if shape['status'] in _OVER:
                break
            if until is not None and time.monotonic() > until:
                raise TimeoutError('run %s is still %s' % (self.id, shape['status']))
            time.sleep(_LOOK)
        if shape['status'] != 'SUCCEEDED':
            reasons = ['%s: %s%s' % (step['name'], step.get('reason') or step['status'], self._last_words(step['name']))
                       for step in shape['steps'] if step['status'] == 'FAILED']
            raise RuntimeError('run %s is %s: %s' % (self.id, shape['status'], '; '.join(reasons) or shape.get('error')))
        return self

    def _last_words(self, step):
        try:
            said = self._server.read('/api/v1/runs/%s/steps/%s/logs/stderr?offset=-2000'
                                     % (quote(self.id, safe=''), quote(step, safe='')))
        except (OSError, RuntimeError):
            return ''
        lines = said.decode('utf-8', 'replace').strip().splitlines()
        return ' (%s)' % lines[-1].strip() if lines else ''

    def result(self, step):
        """What the task of a step returned."""
        data = self._server.read('/api/v1/runs/%s/artifacts/%s/%s'
                                 % (quote(self.id, safe=''), quote(step, safe=''), _RESULT))
        return json.loads(data[1:].decode()) if data[:1] == b'j' else pickle.loads(data[1:])

    def stop(self):
        """Stops it, with all steps that run."""
        self._server.call('POST', '/api/v1/runs/%s/stop' % quote(self.id, safe=''))

    def __repr__(self):
        return 'PipelineRun(id=%r, url=%r)' % (self.id, self.url)

    def _repr_html_(self):
        import html
        shape = self.shape()
        rows = ''.join('<tr><td style="text-align:left">%s</td><td style="text-align:left">%s</td></tr>'
                       % (html.escape(step['name']), html.escape(step['status'])) for step in shape['steps'])
        return '<div><p><a href="%s">%s</a> – %s</p><table>%s</table></div>' % (
            html.escape(self.url, True), html.escape(self.id), html.escape(shape['status']), rows)


def _server(url, token):
    from nni.experiment import server as servers
    return servers.Server(url, token) if url else servers.find(8080)
