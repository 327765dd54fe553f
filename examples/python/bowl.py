"""Finds the lowest point of a function."""

import orrery


def objective(parameters):
    return (parameters['x'] - 2) ** 2 + (parameters['y'] + 1) ** 2


study = orrery.search(objective, {'x': orrery.uniform(-10, 10), 'y': orrery.uniform(-10, 10)}, trials=40,
                      direction='minimize', seed=1)
print('best: %.3f at %s' % (study.value, study.parameters))
