"""Logs a training run to the server: parameters, curves and a file."""

import json
import math
import os
import tempfile

import orrery

with orrery.track('wave', params={'rate': 0.1, 'model': 'linear'}, experiment='examples') as run:
    for step in range(200):
        orrery.log({'loss': math.exp(-step / 50), 'accuracy': 1 - math.exp(-step / 30)})
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, 'model.json')
        with open(path, 'w') as file:
            json.dump({'weights': [1, 2, 3]}, file)
        run.artifact(path)
print('run %s is tracked' % run.id)
