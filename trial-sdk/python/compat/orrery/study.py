"""A search as it is on the server, to be looked at."""

import html
import math
from urllib.parse import quote

_PAGE = 1000


class Trial:
    """One trial.

    number      from 0, in the order in which they were planned
    id          its id on the server
    parameters  a dict
    value       the result, a float; None without one
    result      the whole result when it was a dict, else the value
    status      WAITING, RUNNING, SUCCEEDED, FAILED, EARLY_STOPPED, USER_CANCELED or SYS_CANCELED
    reason      why it failed or waits, or None
    """

    def __init__(self, shape):
        self.number = shape['sequenceId']
        self.id = shape['id']
        self.parameters = shape.get('parameters') or {}
        self.value = None if shape.get('metric') is None else float(shape['metric'])
        self.result = shape.get('metricDocument', self.value)
        self.status = shape['status']
        self.reason = shape.get('reason')
        self.started_at = shape.get('startedAt')
        self.ended_at = shape.get('endedAt')

    def __repr__(self):
        return 'Trial(number=%d, status=%s, value=%r, parameters=%r)' % (
            self.number, self.status, self.value, self.parameters)


class Study:
    """A search on a server: it is read anew at each question, so it also shows one that still goes on."""

    def __init__(self, server, id, maximize):
        self._server = server
        self._maximize = maximize
        self.id = id

    @property
    def url(self):
        """The page of the search."""
        return '%s/#/experiments/%s' % (self._server.url, quote(self.id, safe=''))

    def _call(self, path='', method='GET', **query):
        return self._server.call(method, '/api/v1/experiments/%s%s' % (quote(self.id, safe=''), path), **query)

    def shape(self):
        """The experiment as the server's API shows it."""
        return self._call()

    @property
    def status(self):
        """RUNNING, DONE, STOPPED, FAILED, ERROR …"""
        return self.shape()['status']

    @property
    def trials(self):
        """All trials, by number."""
        found, cursor = [], None
        while True:
            page = self._call('/trials', limit=_PAGE, **({} if cursor is None else {'cursor': cursor}))
            found += [Trial(shape) for shape in page['items']]
            cursor = page.get('next')
            if cursor is None:
                return sorted(found, key=lambda trial: trial.number)

    @property
    def best(self):
        """The trial with the best result; ValueError while there is none."""
        best = self.shape().get('best')
        if best is None:
            raise ValueError('no trial has a result yet: see study.trials for the reasons')
        return Trial(self._call('/trials/' + quote(best['trial'], safe='')))

    @property
    def value(self):
        """The best result."""
        return self.best.value

    @property
    def parameters(self):
        """The best parameters."""
        return self.best.parameters

    def stop(self):
        """Stops it, with all trials that run."""
        self._call('/stop', method='POST')

    def dataframe(self):
        """All trials as a pandas DataFrame; ImportError without pandas."""
        import pandas
        return pandas.DataFrame([
            dict({'number': trial.number, 'value': trial.value, 'status': trial.status},
                 **{'parameters_' + name: value for name, value in trial.parameters.items()})
            for trial in self.trials])

    def __repr__(self):
        return 'Study(id=%r, url=%r)' % (self.id, self.url)

    def _repr_html_(self):
        shape = self.shape()
        return report_html(shape, self.trials, self._maximize, self.url)


def words(shape):
    """One line about the state of a search."""
    counts = shape.get('trialCounts') or {}
    ended = sum(number for status, number in counts.items() if status not in ('WAITING', 'RUNNING'))
    line = '%s: %d of %s trials' % (shape['status'], ended, shape.get('maxTrialNumber') or '?')
    if counts.get('FAILED'):
        line += ', %d failed' % counts['FAILED']
    best = shape.get('best')
    if best is not None:
        line += ', best %.6g' % float(best['metric'])
    return line


def report_html(shape, trials, maximize, url):
    """A picture of a search without a script: its state, the best result so far by trial, the best parameters."""
    best = shape.get('best')
    rows = ''.join('<tr><th style="text-align:left">%s</th><td>%s</td></tr>' % (html.escape(str(name)), html.escape(str(value)))
                   for name, value in (best or {}).get('parameters', {}).items())
    return ('<div><p><a href="%s">%s</a> – %s</p>%s<table>%s</table></div>'
            % (html.escape(url, True), html.escape(shape.get('name') or shape['id']), html.escape(words(shape)),
               _curve(trials, maximize), rows))


def _curve(trials, maximize):
    points = [(trial.number, trial.value) for trial in trials
              if trial.value is not None and math.isfinite(trial.value) and trial.status == 'SUCCEEDED']
    if len(points) < 2:
        return ''
    last = max(number for number, _ in points) or 1
    low = min(value for _, value in points)
    high = max(value for _, value in points)
    span = high - low or 1.0

    def place(number, value):
        return '%.1f,%.1f' % (5 + 390 * number / last, 115 - 110 * (value - low) / span)

    best, line = None, []
    for number, value in points:
        best = value if best is None else (max if maximize else min)(best, value)
        line.append(place(number, best))
    dots = ''.join('<circle cx="%s" cy="%s" r="2"/>' % tuple(place(*point).split(',')) for point in points)
    return ('<svg viewBox="0 0 400 120" width="400" height="120" role="img" aria-label="Best result so far, %.6g to %.6g">'
            '<g fill="#8884" >%s</g><polyline fill="none" stroke="#2a6fdb" stroke-width="2" points="%s"/></svg>'
            % (low, high, dots, ' '.join(line)))
