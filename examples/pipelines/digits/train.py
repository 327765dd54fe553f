"""Trains a perceptron for each digit, and writes the weights and the accuracy."""
import argparse
import json
import os
import random

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, required=True)
parser.add_argument("--seed", type=int, required=True)
options = parser.parse_args()

with open(os.path.join(os.environ["ORRERY_INPUTS"], "data", "digits.csv")) as file:
    rows = [[int(cell) for cell in line.split(",")] for line in file]
random.seed(options.seed)
random.shuffle(rows)
train, test = rows[100:], rows[:100]
weights = [[0.0] * 36 for _ in range(10)]


def guess(dots):
    inputs = dots + [1]
    scores = [sum(w * x for w, x in zip(line, inputs)) for line in weights]
    return scores.index(max(scores))


for epoch in range(options.epochs):
    for digit, *dots in train:
        found = guess(dots)
        if found != digit:
            for i, dot in enumerate(dots + [1]):
                weights[digit][i] += dot
                weights[found][i] -= dot
accuracy = sum(guess(dots) == digit for digit, *dots in test) / len(test)
outputs = os.environ["ORRERY_OUTPUTS"]
with open(os.path.join(outputs, "model.json"), "w") as file:
    json.dump({"seed": options.seed, "weights": weights}, file)
with open(os.path.join(outputs, "accuracy"), "w") as file:
    file.write(str(accuracy))
print("accuracy", accuracy)
