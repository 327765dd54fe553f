"""Learns to read handwritten digits, and reports the share that it reads right after every epoch.

In an experiment the parameters come from the tuner; run by hand (``python3 train.py``) it takes its defaults.
"""

import gzip
import os
import random
import sys

from network import Network

FOLDER = os.path.dirname(os.path.abspath(__file__))
try:
    import nni
except ImportError:
    # Run by hand, where no server has put it on the path.
    sys.path.append(os.path.join(FOLDER, '..', '..', 'trial-sdk', 'python', 'compat'))
    import nni

DEFAULTS = {
    'learning_rate': 0.01,
    'momentum': 0.5,
    'weight_decay': 0.0001,
    'batch_size': 32,
    'hidden_units': 16,
    'activation': 'tanh',
}
TRAINING_SAMPLES = 1200
EPOCHS = 20
# The same split and the same randomness for every trial, so that trials differ by their parameters alone.
SPLIT_SEED = 1
TRAINING_SEED = 2


def load():
    """The images as (pixels, digit) pairs: 64 pixels from 0 to 1, then the constant 1 that the network wants."""
    with gzip.open(os.path.join(FOLDER, 'digits.csv.gz'), 'rt') as lines:
        rows = [[int(number) for number in line.split(',')] for line in lines]
    return [([pixel / 16.0 for pixel in row[:-1]] + [1.0], row[-1]) for row in rows]


def accuracy(network, samples):
    return sum(network.classify(pixels) == digit for pixels, digit in samples) / len(samples)


def train(parameters):
    print('training with %s' % parameters, flush=True)
    samples = load()
    random.Random(SPLIT_SEED).shuffle(samples)
    training, validation = samples[:TRAINING_SAMPLES], samples[TRAINING_SAMPLES:]

    generator = random.Random(TRAINING_SEED)
    network = Network(64, parameters['hidden_units'], 10, parameters['activation'], generator)
    size = parameters['batch_size']
    for _ in range(EPOCHS):
        generator.shuffle(training)
        for start in range(0, len(training), size):
            network.learn(training[start:start + size], parameters['learning_rate'],
                          parameters['momentum'], parameters['weight_decay'])
        result = accuracy(network, validation)
        nni.report_intermediate_result(result)
    # What a trial leaves here, a model can be made of: examples/services/digits.yml serves it.
    folder = os.environ.get('NNI_OUTPUT_DIR')
    if folder:
        network.save(os.path.join(folder, 'network.json'))
    nni.report_final_result(result)


if __name__ == '__main__':
    train(nni.utils.merge_parameter(dict(DEFAULTS), nni.get_next_parameter()))
