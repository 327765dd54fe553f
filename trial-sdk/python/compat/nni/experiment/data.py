"""What an experiment answers with: trials, their parameters and their metrics."""

import json


class _Record:
    def __repr__(self):
        return '%s(%s)' % (type(self).__name__, ', '.join('%s=%r' % item for item in sorted(vars(self).items())))

    def __eq__(self, other):
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None


class TrialResult(_Record):
    """Parameters and final result of a trial; ``value`` is a number or a dict."""

    def __init__(self, parameter, value, trialJobId):
        self.parameter = parameter
        self.value = json.loads(value)
        self.trialJobId = trialJobId


class TrialMetricData(_Record):
    """One reported result; ``data`` is a number or a dict."""

    def __init__(self, timestamp, trialJobId, parameterId, type, sequence, data):
        self.timestamp = timestamp
        self.trialJobId = trialJobId
        self.parameterId = parameterId
        self.type = type
        self.sequence = sequence
        self.data = json.loads(json.loads(data))


class TrialHyperParameters(_Record):
    """One parameter set of a trial."""

    def __init__(self, parameter_id, parameter_source, parameters, parameter_index):
        self.parameter_id = parameter_id
        self.parameter_source = parameter_source
        self.parameters = parameters
        self.parameter_index = parameter_index


class TrialJob(_Record):
    """A trial. Times are milliseconds since the epoch."""

    def __init__(self, trialJobId, status, logPath, startTime, sequenceId, endTime=None, stderrPath=None,
                 hyperParameters=None, finalMetricData=None):
        self.trialJobId = trialJobId
        self.status = status
        self.hyperParameters = [TrialHyperParameters(**json.loads(text)) for text in hyperParameters or []]
        self.logPath = logPath
        self.startTime = startTime
        self.endTime = endTime
        self.finalMetricData = [TrialMetricData(**metric) for metric in finalMetricData or []]
        self.stderrPath = stderrPath
        self.sequenceId = sequenceId
