# One trial: logistic regression on handwritten digits, by gradient descent, in awk alone.
#
#     gzip -dc ../digits/digits.csv.gz | awk -f train.awk
#
# Each line of the input is 64 pixels from 0 to 16 and the digit; every third image is kept for measuring. Parameters
# come from the environment, as they do for every trial; by hand the defaults below hold. What a trial has to tell is a
# line on its standard output: "orrery: intermediate 0.9" after each epoch, "orrery: final 0.9" at the end.

function parameter(name, otherwise) {
  return ("ORRERY_PARAM_" name) in ENVIRON ? ENVIRON["ORRERY_PARAM_" name] + 0 : otherwise
}

# Leaves in p[] how likely each digit is for image i.
function classify(i,    digit, pixel, highest, sum) {
  highest = -1e9
  for (digit = 0; digit < 10; digit++) {
    sum = 0
    for (pixel = 0; pixel < WIDTH; pixel++) sum += weight[digit * WIDTH + pixel] * image[i * WIDTH + pixel]
    p[digit] = sum
    if (sum > highest) highest = sum
  }
  sum = 0
  for (digit = 0; digit < 10; digit++) sum += p[digit] = exp(p[digit] - highest)
  for (digit = 0; digit < 10; digit++) p[digit] /= sum
}

# One step down the slope of the cross entropy; the weights shrink as they go.
function learn(i, rate,    digit, pixel, error) {
  classify(i)
  for (digit = 0; digit < 10; digit++) {
    error = p[digit] - (digit == label[i])
    for (pixel = 0; pixel < WIDTH; pixel++)
      weight[digit * WIDTH + pixel] -= rate * (error * image[i * WIDTH + pixel] + decay * weight[digit * WIDTH + pixel])
  }
}

# The share of the images kept for measuring that is read right.
function accuracy(    i, digit, best, right) {
  right = 0
  for (i = 3; i <= NR; i += 3) {
    classify(i)
    best = 0
    for (digit = 1; digit < 10; digit++) if (p[digit] > p[best]) best = digit
    right += best == label[i]
  }
  return right / int(NR / 3)
}

BEGIN {
  FS = ","
  WIDTH = 65      # the pixels, and a constant 1 that belongs to each digit's bias
  EPOCHS = 4
  rate = parameter("LEARNING_RATE", 0.001)
  decay = parameter("WEIGHT_DECAY", 0.001)
  cooling = parameter("COOLING", 1)       # the learning rate's factor from one epoch to the next
}

{
  for (pixel = 0; pixel < 64; pixel++) image[NR * WIDTH + pixel] = $(pixel + 1) / 16
  image[NR * WIDTH + 64] = 1
  label[NR] = $65
}

END {
  for (epoch = 1; epoch <= EPOCHS; epoch++) {
    for (i = 1; i <= NR; i++) if (i % 3) learn(i, rate)
    rate *= cooling
    result = accuracy()
    printf "orrery: intermediate %.6f\n", result
    fflush()
  }
  printf "orrery: final %.6f\n", result
}
