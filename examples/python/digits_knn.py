"""Tunes a nearest-neighbour classifier of handwritten digits, in plain Python."""

import csv
import gzip
import os

import orrery

HERE = os.path.dirname(os.path.abspath(__file__))


def load():
    with gzip.open(os.path.join(HERE, '..', 'digits', 'digits.csv.gz'), 'rt') as file:
        rows = [[int(value) for value in row] for row in csv.reader(file)]
    return [(row[:-1], row[-1]) for row in rows]


# Loaded once: each evaluation is a fork of this process and has it already.
DATA = load()
TRAIN, TEST = DATA[0:400], DATA[400:460]


def objective(parameters):
    right = 0
    for image, digit in TEST:
        near = sorted((sum(abs(a - b) ** parameters['power'] for a, b in zip(image, other)), label)
                      for other, label in TRAIN)[:parameters['neighbours']]
        votes = {}
        for distance, label in near:
            votes[label] = votes.get(label, 0) + 1 / (1 + distance) ** parameters['weight']
        right += max(votes, key=votes.get) == digit
    return right / len(TEST)


study = orrery.search(objective, {'neighbours': orrery.integer(1, 15), 'power': [1, 2, 3],
                                  'weight': orrery.uniform(0, 1)}, trials=12, seed=5)
print('best: %.1f %% right with %s' % (100 * study.value, study.parameters))
