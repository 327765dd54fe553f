"""A neural network with one hidden layer, written out with lists: no package is needed to run it."""

import json
import math
from operator import mul

try:
    from math import sumprod as dot  # Python 3.12: the same in one call
except ImportError:
    def dot(a, b):
        return sum(map(mul, a, b))


def relu(x):
    return x if x > 0.0 else 0.0


# Each activation with its slope, expressed by the activation's own value.
ACTIVATIONS = {
    'tanh': (math.tanh, lambda y: 1.0 - y * y),
    'relu': (relu, lambda y: 1.0 if y > 0.0 else 0.0),
}


class Network:
    """Learns classes by mini-batch gradient descent with momentum on the softmax cross-entropy.

    A weight matrix is a list of rows, one for each unit. Every row has one weight more than the layer below has units:
    that layer is extended by a constant 1, so the last weight is the bias.
    """

    def __init__(self, inputs, hidden, classes, activation, random):
        self._activation = activation
        self._activate, self._slope = ACTIVATIONS[activation]
        self._first = _random_rows(hidden, inputs + 1, random)
        self._second = _random_rows(classes, hidden + 1, random)
        self._first_velocity = _zero_rows(self._first)
        self._second_velocity = _zero_rows(self._second)

    def save(self, path):
        """Writes what `classify` needs as JSON."""
        with open(path, 'w') as file:
            json.dump({'activation': self._activation, 'first': self._first, 'second': self._second}, file)

    def classify(self, sample):
        """The most probable class of a sample: a list of inputs, ending with the constant 1."""
        scores = self._forward(sample)[1]
        return scores.index(max(scores))

    def learn(self, batch, learning_rate, momentum, weight_decay):
        """One step on a batch of (sample, class) pairs."""
        first_gradient, second_gradient = self._gradients(batch)
        step = learning_rate / len(batch)
        decay = learning_rate * weight_decay
        _descend(self._first, self._first_velocity, first_gradient, step, momentum, decay)
        _descend(self._second, self._second_velocity, second_gradient, step, momentum, decay)

    def _forward(self, sample):
        activate = self._activate
        hidden = [activate(dot(row, sample)) for row in self._first]
        hidden.append(1.0)
        return hidden, [dot(row, hidden) for row in self._second]

    def _gradients(self, batch):
        """The slope of the loss along every weight of both layers, summed over the batch."""
        slope = self._slope
        first = _zero_rows(self._first)
        second = _zero_rows(self._second)
        # By columns: what each hidden unit sends to all outputs. The bias receives no error.
        outgoing = list(zip(*self._second))[:-1]
        for sample, label in batch:
            hidden, scores = self._forward(sample)
            errors = _softmax(scores)
            errors[label] -= 1.0
            for unit, error in enumerate(errors):
                second[unit] = [g + error * h for g, h in zip(second[unit], hidden)]
            for unit, weights in enumerate(outgoing):
                error = dot(weights, errors) * slope(hidden[unit])
                if error:
                    first[unit] = [g + error * x for g, x in zip(first[unit], sample)]
        return first, second


def _softmax(scores):
    # Relative to the highest one, so that nothing overflows.
    highest = max(scores)
    powers = [math.exp(score - highest) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


def _descend(weights, velocity, gradient, step, momentum, decay):
    for unit, row in enumerate(weights):
        moved = [momentum * v - step * g - decay * w for v, g, w in zip(velocity[unit], gradient[unit], row)]
        velocity[unit] = moved
        weights[unit] = [w + v for w, v in zip(row, moved)]


def _random_rows(units, inputs, random):
    # Scaled so that a unit's input neither vanishes nor saturates, however many units there are below.
    spread = 1.0 / math.sqrt(inputs)
    return [[random.gauss(0.0, spread) for _ in range(inputs)] for _ in range(units)]


def _zero_rows(like):
    return [[0.0] * len(row) for row in like]
