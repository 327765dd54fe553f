package io.orrery.core.constraint;

/**
 * A fault of a constraint.
 *
 * @param column where in its text, from 1
 */
public record Fault(int column, String message) {
  @Override
  public String toString() {
    return "column " + column + ": " + message;
  }
}
