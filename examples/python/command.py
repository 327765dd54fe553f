"""Tunes a script that is a program of its own, as it would run on any platform."""

import os
import tempfile

import orrery

SCRIPT = """
import orrery, nni
parameters = nni.get_next_parameter()
for epoch in range(3):
    orrery.log({'loss': parameters['x'] ** 2 / (epoch + 1)})
nni.report_final_result(parameters['x'] ** 2)
"""

with tempfile.TemporaryDirectory() as code:
    with open(os.path.join(code, 'train.py'), 'w') as file:
        file.write(SCRIPT)
    study = orrery.search('python3 train.py', {'x': orrery.uniform(-5, 5)}, trials=10, direction='minimize', code=code,
                          seed=6)
print('best: %.4f after %d trials' % (study.value, len(study.trials)))
