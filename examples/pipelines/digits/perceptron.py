"""A perceptron for each digit, over the dots of a drawing."""
import random


def guess(weights, dots):
    """The digit whose weights fit best."""
    inputs = dots + [1]
    scores = [sum(w * x for w, x in zip(line, inputs)) for line in weights]
    return scores.index(max(scores))


def fit(rows, epochs, seed, margin=0.0):
    """The weights, and their accuracy on rows that were not learnt."""
    order = random.Random(seed)
    rows = list(rows)
    order.shuffle(rows)
    train, test = rows[100:], rows[:100]
    weights = [[0.0] * 36 for _ in range(10)]
    for _ in range(epochs):
        for digit, *dots in train:
            inputs = dots + [1]
            scores = [sum(w * x for w, x in zip(line, inputs)) for line in weights]
            others = [score + margin if i != digit else score for i, score in enumerate(scores)]
            found = others.index(max(others))
            if found != digit:
                for i, dot in enumerate(inputs):
                    weights[digit][i] += dot
                    weights[found][i] -= dot
    return weights, sum(guess(weights, dots) == digit for digit, *dots in test) / len(test)
