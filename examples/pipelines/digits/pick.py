"""Keeps the model with the best accuracy."""
import json
import os
import shutil

accuracies = [float(text) for text in json.loads(os.environ["ACCURACIES"])]
best = accuracies.index(max(accuracies))
models = os.path.join(os.environ["ORRERY_INPUTS"], "models")
shutil.copy(
    os.path.join(models, str(best + 1)), os.path.join(os.environ["ORRERY_OUTPUTS"], "best.json"))
print("orrery: output accuracy", accuracies[best])
