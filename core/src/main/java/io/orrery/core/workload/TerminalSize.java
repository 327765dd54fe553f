package io.orrery.core.workload;

/**
 * The size of a terminal in characters.
 *
 * @param columns 1 to {@value #MOST}
 * @param rows 1 to {@value #MOST}
 */
public record TerminalSize(int columns, int rows) {
  /** The largest number of columns or rows. */
  public static final int MOST = 1_000;

  /** The size of a terminal that does not tell its own. */
  public static final TerminalSize USUAL = new TerminalSize(80, 24);

  /**
   * @throws IllegalArgumentException when a number is out of range
   */
  public TerminalSize {
    if (columns < 1 || columns > MOST || rows < 1 || rows > MOST) {
      throw new IllegalArgumentException(
          "a terminal has 1 to %d columns and rows, not %d and %d".formatted(MOST, columns, rows));
    }
  }
}
