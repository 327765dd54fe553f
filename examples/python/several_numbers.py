"""Logs several numbers as it goes; the search looks at one of them."""

import orrery


def objective(parameters):
    error = 1.0
    for step in range(5):
        error *= parameters['decay']
        orrery.log({'default': error, 'size': parameters['width'] * (step + 1)})
    return {'default': error + parameters['width'] / 1000, 'width': parameters['width']}


study = orrery.search(objective, {'decay': orrery.uniform(0.1, 0.9), 'width': orrery.integer(1, 100)}, trials=30,
                      direction='minimize', seed=4)
print('best: %.4f, its result %s' % (study.value, study.best.result))
