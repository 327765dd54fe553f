"""Loads a search by its id, and makes a table of it."""

import orrery

first = orrery.search(lambda parameters: parameters['a'] * parameters['b'], {'a': [1, 2, 3], 'b': [1, 10]}, trials=6,
                      tuner='GridSearch', show=False)
study = orrery.load(first.id)
for trial in sorted(study.trials, key=lambda trial: -trial.value)[:3]:
    print(trial.number, trial.value, trial.parameters)
try:
    print(study.dataframe().describe())
except ImportError:
    print('pandas is not installed: study.trials has the same')
print('best: %g' % study.value)
