"""A user's Advisor: a subclass of NNI's MsgDispatcherBase, which handles the dispatcher's messages itself."""

import json
import re
from collections import deque

_WHOLE = re.compile(r'-?(0|[1-9]\d{0,17})$')


class Advisor:
    """Plays NNI's manager to it. What it sends stays here until the server asks."""

    def __init__(self, make):
        from nni.runtime import protocol
        if not hasattr(protocol, 'deliver_to'):
            raise RuntimeError("advisors need Orrery's own nni module, and the installed package nni comes before it: "
                               'run the server with a python3 that has no nni')
        self._trials = deque()
        self._ids = {}
        self._doomed = set()
        self._told = {}
        self._owed = 0
        protocol.deliver_to(self._take)
        self._advisor = make()

    def _take(self, command, content):
        if command == _command('NewTrialJob'):
            record = json.loads(content)
            self._trials.append({'id': record['parameter_id'], 'parameters': record['parameters']})
        elif command == _command('KillTrialJob'):
            self._doomed.add(json.loads(content))
        elif command == _command('Error'):
            raise RuntimeError('the advisor reported an error: %s' % content)

    def begin(self, space, resumed):
        self._advisor.handle_initialize(space)
        if resumed:
            self._advisor.load_checkpoint()

    def unfinished(self, records, last_number):
        for record in records:
            record['parameter_id'] = _as_it_was(record['parameter_id'])
        if records:
            self._advisor.handle_add_customized_trial(records)

    def import_data(self, data):
        self._advisor.handle_import_data(data)

    def suggest(self, count):
        """At most ``count``. What it was asked for and has not sent it still owes, and is not asked for again."""
        missing = count - len(self._trials) - self._owed
        if missing > 0:
            self._owed += missing
            self._advisor.handle_request_trial_jobs(missing)
        items = []
        while self._trials and len(items) < count:
            item = self._trials.popleft()
            self._ids[str(item['id'])] = item['id']
            self._owed = max(0, self._owed - 1)
            items.append(item)
        return items

    def assess(self, id, trial, history):
        """Passes on what is new; whether the advisor wants the trial ended."""
        if id in self._ids:
            for sequence in range(self._told.get(trial, 0), len(history)):
                self._report(id, trial, 'PERIODICAL', sequence, history[sequence])
            self._told[trial] = len(history)
        return trial in self._doomed

    def result(self, id, parameters, trial, value, event):
        if id not in self._ids:
            return
        if value is not None:
            self._report(id, trial, 'FINAL', 0, value)
        record = {'parameter_id': self._ids[id], 'parameter_source': 'algorithm', 'parameters': parameters}
        self._advisor.handle_trial_end({
            'trial_job_id': trial,
            'event': event,
            'hyper_params': json.dumps(record),
        })
        self._told.pop(trial, None)
        self._doomed.discard(trial)

    def _report(self, id, trial, kind, sequence, value):
        self._advisor.handle_report_metric_data({
            'parameter_id': self._ids[id],
            'trial_job_id': trial,
            'type': kind,
            'sequence': sequence,
            'value': json.dumps(value),  # JSON text within the message, as trials send it
        })


def _command(name):
    """A command, of the module that the advisor itself imports."""
    from nni.runtime.protocol import CommandType
    return CommandType[name]


def _as_it_was(text):
    """Ids are text to the server; what was a number is one again."""
    return int(text) if _WHOLE.match(text) else text
