"""The calls of ``nni.experiment.Experiment`` in NNI 2.0, ``LegacyExperiment`` since then."""

import json
import os
from urllib.parse import urlsplit

from . import server as servers


class LegacyCalls:
    """What an Experiment can do in the older words; the rest of them is the same in both.

    An object is one experiment: RuntimeError when it is to become another.
    """

    def start_experiment(self, config_file, port=None, debug=False):
        """Starts the experiment of a configuration file."""
        self._is_free()
        port = port or 8080
        self._server = servers.find(port)
        with open(config_file, 'rb') as file:
            text = file.read()
        created = self._server.call('POST', '/api/v1/experiments', text, content_type='application/yaml',
                                    base=os.path.dirname(os.path.abspath(config_file)), port=port)
        self._attach(created['id'], port)

    def resume_experiment(self, exp_id, port=None, debug=False):
        """Goes on with a stopped experiment."""
        self._is_free()
        self._become(type(self).resume(exp_id, port or 8080, wait_completion=False, debug=debug))

    def view_experiment(self, exp_id, port=None):
        """Looks at an experiment that has ended."""
        self._is_free()
        self._become(type(self).view(exp_id, port or 8080))

    def connect_experiment(self, endpoint):
        """Finds the experiment at an address such as ``http://localhost:8080``."""
        self._is_free()
        self._server = servers.Server(endpoint, os.environ.get('ORRERY_TOKEN'))
        id = self._server.call('GET', '/api/v1/nni/experiment')['id']
        self._attach(id, urlsplit(endpoint).port or 80)

    def stop_experiment(self):
        """Stops it and lets it go."""
        self.stop()
        self.id = self.port = self._server = self._base = None

    def get_experiment_status(self):
        """``{'status': …, 'errors': […]}``."""
        return self._call('GET', '/check-status')

    def update_searchspace(self, filename):
        """Another search space, from a JSON file."""
        with open(filename, encoding='utf-8') as file:
            self.update_search_space(json.load(file))

    def update_concurrency(self, value):
        """How many trials run at the same time."""
        self.update_trial_concurrency(value)

    def update_duration(self, value):
        """How long it may run, such as ``2h``."""
        self.update_max_experiment_duration(value)

    def update_trailnum(self, value):
        """How many trials there are at most; the name is NNI's."""
        self.update_max_trial_number(value)

    def _is_free(self):
        if self._base is not None:
            raise RuntimeError('this object is experiment %s already' % self.id)

    def _become(self, other):
        self.id, self.port, self._server, self._base = other.id, other.port, other._server, other._base
