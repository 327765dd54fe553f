"""Writes drawings of digits as rows of a CSV file."""
import os

from drawings import ROWS, rows

folder = os.path.join(os.environ["ORRERY_OUTPUTS"], "data")
os.makedirs(folder)
with open(os.path.join(folder, "digits.csv"), "w") as file:
    for row in rows():
        file.write(",".join(str(cell) for cell in row) + "\n")
print("orrery: output rows", ROWS)
