"""A space with every kind of parameter, and one that is there only for one choice."""

import math

import orrery

SPACE = {
    'rate': orrery.loguniform(1e-4, 1),
    'layers': orrery.integer(1, 4),
    'dropout': orrery.quniform(0, 0.5, 0.1),
    'activation': ['relu', 'tanh'],
    'optimizer': orrery.choice(
        {'_name': 'sgd', 'momentum': orrery.uniform(0, 0.99)},
        {'_name': 'adam'},
    ),
}


def objective(p):
    score = 1 - abs(math.log10(p['rate']) + 2) / 4 - 0.05 * abs(p['layers'] - 2) - 0.2 * p['dropout']
    if p['optimizer']['_name'] == 'sgd':
        score -= 0.1 * abs(p['optimizer']['momentum'] - 0.9)
    return score


study = orrery.search(objective, SPACE, trials=40, seed=2)
print('best: %.3f with %s' % (study.value, study.parameters))
