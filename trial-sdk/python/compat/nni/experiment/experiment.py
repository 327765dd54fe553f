"""``Experiment``: create, steer and read one experiment."""

import atexit
import json
import logging
import os
import time
from enum import Enum

from . import server as servers
from .config import ExperimentConfig
from .data import TrialJob, TrialMetricData, TrialResult
from .legacy import LegacyCalls

_logger = logging.getLogger('nni.experiment')

_POLL = 1.0


class RunMode(Enum):
    """Whether the experiment is stopped when the script ends; Detach leaves it running."""

    Background = 'background'
    Foreground = 'foreground'
    Detach = 'detach'


class Experiment(LegacyCalls):
    """One experiment on an Orrery server.

    config    an ExperimentConfig; None for an experiment that was connected to, resumed or viewed
    id        its id, once it has been started
    port      where NNI's clients find it, None before that
    """

    def __init__(self, config_or_platform=None, id=None):
        """A configuration, the name of a platform, or a list of names; ``id`` gives the experiment an id of one's own."""
        if isinstance(config_or_platform, (str, list, tuple)):
            config_or_platform = ExperimentConfig(config_or_platform)
        self.config = config_or_platform
        self.id = id
        self.port = None
        self._server = None
        self._base = None

    # ---- life ----------------------------------------------------------------------------------

    def start(self, port=8080, debug=False, run_mode=RunMode.Background):
        """Starts it in the background. RuntimeError says all that is wrong with the configuration."""
        if self.config is None:
            raise RuntimeError('there is no configuration: Experiment(\'local\') makes one')
        self._server = servers.find(port)
        config = self.config.json()
        if debug:
            config['debug'] = True
        query = {'base': os.getcwd(), 'port': port}
        if self.id is not None:
            query['id'] = self.id
        created = self._server.call('POST', '/api/v1/experiments', config, **query)
        for notice in created.get('notices', []):
            _logger.warning('%s', notice)
        self._attach(created['id'], port)
        if run_mode is not RunMode.Detach:
            atexit.register(self.stop)
        _logger.info('experiment %s has started: %s/#/experiments/%s', self.id, self._server.url, self.id)

    def run(self, port=8080, wait_completion=True, debug=False, run_mode=RunMode.Background):
        """Starts it and waits for its end: True when it is done, False when it failed.

        Without ``wait_completion`` it goes on in the background, and the answer is None.
        """
        self.start(port, debug, run_mode)
        return self._wait(port) if wait_completion else None

    def _wait(self, port):
        try:
            while True:
                status = self.get_status()
                if status in ('DONE', 'STOPPED'):
                    return True
                if status == 'ERROR':
                    return False
                time.sleep(_POLL)
        except KeyboardInterrupt:
            _logger.warning('interrupted: the experiment is stopped')
            return None
        finally:
            self.stop()

    def stop(self):
        """Stops it, unless it has ended. What it found can still be read afterwards."""
        atexit.unregister(self.stop)
        if self._base is not None:
            try:
                # A port that is the experiment's own is closed with it.
                self._server = servers.lasting(self._server, self._base + '/check-status')
                self._call('DELETE', '/experiment')
            except (ConnectionError, RuntimeError) as error:
                _logger.warning('the experiment was not stopped: %s', error)

    def _attach(self, id, port):
        self.id = id
        self.port = port
        self._base = '/experiments/%s/api/v1/nni' % servers.segment(id)

    @classmethod
    def connect(cls, port):
        """The experiment that is found at a port of this machine."""
        experiment = cls()
        experiment._server = servers.Server('http://localhost:%d' % port, os.environ.get('ORRERY_TOKEN'))
        id = experiment._server.call('GET', '/api/v1/nni/experiment')['id']
        experiment._attach(id, port)
        return experiment

    @staticmethod
    def resume(experiment_id, port=8080, wait_completion=True, debug=False):
        """Goes on with a stopped experiment; waits for its end, or returns it. One that is done stays so."""
        experiment = Experiment._existing(experiment_id, port)
        if experiment.get_status() != 'DONE':
            experiment._server.call('POST', '/api/v1/experiments/%s/resume' % servers.segment(experiment_id))
        if wait_completion:
            return experiment._wait(port)
        return experiment

    @staticmethod
    def view(experiment_id, port=8080, non_blocking=False):
        """An experiment to be read. Nothing is started for that, so nothing needs to block."""
        return Experiment._existing(experiment_id, port)

    @staticmethod
    def _existing(experiment_id, port):
        experiment = Experiment()
        experiment._server = servers.find(port)
        experiment._attach(experiment_id, experiment._server.port)
        experiment.get_experiment_profile()
        return experiment

    def has_checkpoint(self):
        """Whether an experiment with this id is on the server already."""
        try:
            known = servers.find(8080).call('GET', '/api/v1/experiments/%s' % servers.segment(self.id))
        except RuntimeError:
            return False
        return known is not None

    def run_or_resume(self, port=8080, wait_completion=True, debug=False):
        """Goes on with the experiment of this id when there is one, else runs it."""
        if self.id is not None and self.has_checkpoint():
            return Experiment.resume(self.id, port, wait_completion, debug)
        return self.run(port, wait_completion, debug)

    # ---- reading -------------------------------------------------------------------------------

    def _call(self, method, path, body=None, **query):
        if self._base is None:
            raise RuntimeError('the experiment has not been started')
        return self._server.call(method, self._base + path, body, **query)

    def get_status(self):
        """Its status in NNI's words."""
        return self._call('GET', '/check-status')['status']

    def get_trial_job(self, trial_job_id):
        """One TrialJob, None when there is none of this id."""
        found = self._call('GET', '/trial-jobs/' + servers.segment(trial_job_id))
        return None if found is None else TrialJob(**found)

    def list_trial_jobs(self):
        """All trials as a list of TrialJob."""
        return [TrialJob(**job) for job in self._call('GET', '/trial-jobs')]

    list_trials = list_trial_jobs

    def get_job_statistics(self):
        """How many trials are in each status."""
        return self._call('GET', '/job-statistics')

    def get_job_metrics(self, trial_job_id=None):
        """Lists of TrialMetricData by trial id: of one trial, or of all."""
        path = '/metric-data' if trial_job_id is None else '/metric-data/' + servers.segment(trial_job_id)
        metrics = {}
        for metric in self._call('GET', path):
            metrics.setdefault(metric['trialJobId'], []).append(TrialMetricData(**metric))
        return metrics

    def get_experiment_profile(self):
        """Its profile: configuration, times, counters."""
        return self._call('GET', '/experiment')

    def get_experiment_metadata(self, exp_id):
        """The entry of an experiment in NNI's index, {} when there is none."""
        return next((entry for entry in self.get_all_experiments_metadata() if entry['id'] == exp_id), {})

    def get_all_experiments_metadata(self):
        """The entries of all experiments of the server."""
        return self._call('GET', '/experiments-info')

    def export_data(self):
        """Parameters and results of the trials that succeeded, as a list of TrialResult."""
        return [TrialResult(**result) for result in self._call('GET', '/export-data')]

    # ---- steering ------------------------------------------------------------------------------

    def _update(self, update_type, key, value):
        profile = self.get_experiment_profile()
        profile['params'][key] = value
        self._call('PUT', '/experiment', profile, update_type=update_type)

    def update_trial_concurrency(self, value):
        """How many trials run at the same time."""
        self._update('TRIAL_CONCURRENCY', 'trialConcurrency', value)

    def update_max_experiment_duration(self, value):
        """How long it may run: seconds, or a text such as '2h'."""
        self._update('MAX_EXEC_DURATION', 'maxExperimentDuration', value)

    def update_search_space(self, value):
        """Another search space, a dict."""
        self._update('SEARCH_SPACE', 'searchSpace', json.loads(json.dumps(value)))

    def update_max_trial_number(self, value):
        """How many trials there are at most."""
        self._update('MAX_TRIAL_NUM', 'maxTrialNumber', value)

    def kill_trial_job(self, trial_job_id):
        """Ends a trial."""
        self._call('DELETE', '/trial-jobs/' + servers.segment(trial_job_id))
