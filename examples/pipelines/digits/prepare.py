"""Makes drawings of digits, 5 by 7 dots with noise, as rows of a CSV file."""
import os
import random

DIGITS = [
    "01110100011000110001100011000101110", "00100011000010000100001000010001110",
    "01110100010000100010001000100011111", "11111000100010000010000011000101110",
    "00010001100101010010111110001000010", "11111100001111000001000011000101110",
    "00110010001000011110100011000101110", "11111000010001000100010000100001000",
    "01110100011000101110100011000101110", "01110100011000101111000010001001100",
]
ROWS = 600

random.seed(7)
folder = os.path.join(os.environ["ORRERY_OUTPUTS"], "data")
os.makedirs(folder)
with open(os.path.join(folder, "digits.csv"), "w") as file:
    for row in range(ROWS):
        digit = row % 10
        dots = [dot if random.random() > 0.08 else str(1 - int(dot)) for dot in DIGITS[digit]]
        file.write(",".join([str(digit)] + dots) + "\n")
print("orrery: output rows", ROWS)
