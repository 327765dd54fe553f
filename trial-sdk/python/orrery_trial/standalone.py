"""A trial script that is run by hand: it works with its defaults and shows what it would report."""

import json
import warnings


class Standalone:
    """No experiment: no parameters, and results are printed."""

    def next(self):
        warnings.warn('this script runs outside an experiment: nni.get_next_parameter() returns {}, '
                      'and results are printed instead of reported', RuntimeWarning, stacklevel=4)
        return {'parameter_id': None, 'parameters': {}}

    def send(self, payload):
        value = json.loads(payload['value'])
        if payload['type'] == 'FINAL':
            print('Final result: %s' % value, flush=True)
        else:
            print('Intermediate result: %s  (Index %d)' % (value, payload['sequence']), flush=True)
