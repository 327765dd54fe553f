"""Searches within a limit of time, and keeps what was found when it is interrupted."""

import time

import orrery


def objective(parameters):
    time.sleep(0.1)
    return -abs(parameters['x'] - 0.3)


study = orrery.search(objective, {'x': orrery.uniform(0, 1)}, trials=None, timeout=5, parallel=2, seed=9)
print('best: %.4f of %d trials' % (study.value, len(study.trials)))
