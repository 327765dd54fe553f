"""Trains with the settings that the search has found, and keeps the best of all models."""
import json
import os
import shutil
import sys

from perceptron import fit

settings = json.loads(sys.argv[1])
inputs = os.environ["ORRERY_INPUTS"]
with open(os.path.join(inputs, "data", "digits.csv")) as file:
    rows = [[int(cell) for cell in line.split(",")] for line in file]
weights, accuracy = fit(rows, settings["epochs"], seed=1, margin=settings["margin"])
folder = os.path.join(os.environ["ORRERY_OUTPUTS"], "model")
os.makedirs(folder)
target = os.path.join(folder, "model.json")
accuracies = [float(text) for text in json.loads(os.environ["ACCURACIES"])]
if max(accuracies) > accuracy:
    accuracy = max(accuracies)
    shutil.copy(os.path.join(inputs, "models", str(accuracies.index(accuracy) + 1)), target)
else:
    with open(target, "w") as file:
        json.dump({"settings": settings, "weights": weights}, file)
print("orrery: output accuracy", accuracy)
