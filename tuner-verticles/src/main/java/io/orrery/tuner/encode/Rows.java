package io.orrery.tuner.encode;

/**
 * Points as a {@link io.orrery.tuner.math.Forest} takes them: places in the {@link UnitCube}, with
 * NaN for what does not exist. Immutable.
 */
public final class Rows {
  private final UnitCube cube;

  public Rows(Axes axes) {
    cube = new UnitCube(axes);
  }

  /** For each column the number of options of a choice, or 0 where it holds numbers from 0 to 1. */
  public int[] options() {
    int[] options = new int[cube.size()];
    for (int column = 0; column < options.length; column++) {
      options[column] = cube.isChoice(column) ? cube.options(column) : 0;
    }
    return options;
  }

  /** The row of a point. */
  public double[] of(double[] point) {
    double[] row = cube.place(point);
    for (int column = 0; column < row.length; column++) {
      if (Double.isNaN(point[column])) {
        row[column] = Double.NaN;
      }
    }
    return row;
  }
}
