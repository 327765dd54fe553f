"""Searches for good parameters from a script or a notebook::

    import orrery

    def objective(parameters):
        return (parameters['x'] - 2) ** 2

    study = orrery.search(objective, {'x': orrery.uniform(-10, 10)}, trials=50, direction='minimize')
    print(study.best.parameters, study.best.value)

The server does the search: the one of ``ORRERY_URL`` and ``ORRERY_TOKEN``, that of this machine, or one that is started.
The objective runs here, in processes of its own, as many at once as ``parallel`` says; or where a server elsewhere runs trials.
"""

from .flows import Pipeline, PipelineRun, Task, pipeline, task
from .reporting import TrialStopped, report
from .searching import load, search
from .space import choice, integer, loguniform, normal, quniform, uniform
from .study import Study, Trial
from .tracking import Run, log, track

__all__ = [
    'Pipeline', 'PipelineRun', 'Run', 'Study', 'Task', 'Trial', 'TrialStopped',
    'choice', 'integer', 'load', 'log', 'loguniform', 'normal', 'pipeline', 'quniform', 'report', 'search', 'task', 'track',
    'uniform',
]
