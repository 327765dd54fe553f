package io.orrery.tuner.assess;

import java.util.Arrays;

/** Numbers in their order, eight bytes each: there is one for every step of every trial. */
final class SortedNumbers {
  private double[] numbers = new double[8];
  private int size;

  void add(double number) {
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, size + size / 2);
    }
    int found = Arrays.binarySearch(numbers, 0, size, number);
    int place = found < 0 ? -found - 1 : found;
    System.arraycopy(numbers, place, numbers, place + 1, size - place);
    numbers[place] = number;
    size++;
  }

  /** How many are less than a number. */
  int below(double number) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (numbers[middle] < number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  double get(int index) {
    return numbers[index];
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }
}
