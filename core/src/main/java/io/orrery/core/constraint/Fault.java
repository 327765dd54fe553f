package io.orrery.core.constraint;

/**
 * What is wrong with a constraint.
 *
 * @param column where in its text, from 1
 */
public record Fault(int column, String message) {
  @Override
  public String toString() {
    return "column " + column + ": " + message;
  }
}
