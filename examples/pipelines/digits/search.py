"""A trial of the search: how well the perceptrons read with these settings."""
import nni

from drawings import rows
from perceptron import fit

settings = nni.get_next_parameter()
_, accuracy = fit(rows(), settings["epochs"], seed=1, margin=settings["margin"])
nni.report_final_result(accuracy)
