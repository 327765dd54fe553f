"""Trains a perceptron for each digit, and writes the weights and the accuracy."""
import argparse
import json
import os

from perceptron import fit

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, required=True)
parser.add_argument("--seed", type=int, required=True)
options = parser.parse_args()

with open(os.path.join(os.environ["ORRERY_INPUTS"], "data", "digits.csv")) as file:
    rows = [[int(cell) for cell in line.split(",")] for line in file]
weights, accuracy = fit(rows, options.epochs, options.seed)
outputs = os.environ["ORRERY_OUTPUTS"]
with open(os.path.join(outputs, "model.json"), "w") as file:
    json.dump({"seed": options.seed, "weights": weights}, file)
with open(os.path.join(outputs, "accuracy"), "w") as file:
    file.write(str(accuracy))
print("accuracy", accuracy)
