package io.orrery.core.id;

/**
 * The reference of one run of a trial on its platform. A retry is the next attempt of the same
 * trial.
 *
 * @param number from 1
 */
public record AttemptRef(TrialRef trial, int number) {
  @Override
  public String toString() {
    return number == 1 ? trial.toString() : trial + "#" + number;
  }
}
