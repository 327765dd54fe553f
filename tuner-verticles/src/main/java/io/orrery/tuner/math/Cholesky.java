package io.orrery.tuner.math;

import java.util.Arrays;

/**
 * The Cholesky factor L of a symmetric positive definite matrix A = L Lᵀ that grows row by row.
 *
 * <p>A row is computed in the same order of operations whether the matrix comes at once or in
 * parts, so a factor that has grown is bit for bit the one that is made anew. Rows are arrays of
 * their own; inner loops run along them. Not thread safe.
 */
public final class Cholesky {
  private double[][] rows;
  private int size;

  /**
   * An empty factor.
   *
   * @param capacity how many rows there will be; more are possible
   */
  public Cholesky(int capacity) {
    rows = new double[Math.max(1, capacity)][];
  }

  /** How many rows A has. */
  public int size() {
    return size;
  }

  /**
   * Adds a row to A.
   *
   * @param row the row's {@code size()} elements before the diagonal and that on it; it is kept,
   *     and overwritten with the row of L
   * @return whether A is still positive definite; if not, nothing has been added
   */
  public boolean append(double[] row) {
    double square = row[size];
    for (int j = 0; j < size; j++) {
      double[] other = rows[j];
      double element = (row[j] - dot(row, other, j)) / other[j];
      row[j] = element;
      square -= element * element;
    }
    if (!(square > 0)) {
      return false;
    }
    row[size] = Math.sqrt(square);
    if (size == rows.length) {
      rows = Arrays.copyOf(rows, 2 * size);
    }
    rows[size++] = row;
    return true;
  }

  /** Forgets all rows from the given one on. */
  public void truncate(int rowsKept) {
    size = rowsKept;
  }

  /** Overwrites b with L⁻¹b; b may be shorter than A, then the leading part of L counts. */
  public void forward(double[] b) {
    int n = Math.min(size, b.length);
    for (int i = 0; i < n; i++) {
      double[] row = rows[i];
      b[i] = (b[i] - dot(row, b, i)) / row[i];
    }
  }

  /**
   * Overwrites many vectors at once, each a column of b, with L⁻¹ times them: inner loops run along
   * the vectors.
   *
   * @param b as many rows as A has
   */
  public void forward(double[][] b) {
    for (int i = 0; i < size; i++) {
      double[] row = rows[i];
      double[] to = b[i];
      int j = 0;
      for (; j < i - 1; j += 2) {
        subtract(row[j], b[j], row[j + 1], b[j + 1], to, to.length);
      }
      if (j < i) {
        subtract(row[j], b[j], to, to.length);
      }
      for (int column = 0; column < to.length; column++) {
        to[column] /= row[i];
      }
    }
  }

  /** Overwrites b with L⁻ᵀb. */
  public void backward(double[] b) {
    for (int i = size - 1; i >= 0; i--) {
      double[] row = rows[i];
      double value = b[i] / row[i];
      b[i] = value;
      subtract(value, row, b, i);
    }
  }

  /** L times a vector. */
  public double[] times(double[] vector) {
    double[] product = new double[size];
    for (int i = 0; i < size; i++) {
      product[i] = dot(rows[i], vector, i + 1);
    }
    return product;
  }

  /** The logarithm of A's determinant. */
  public double logDeterminant() {
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += Math.log(rows[i][i]);
    }
    return 2 * sum;
  }

  /** The rows of A⁻¹, each up to its diagonal. */
  public double[][] inverse() {
    double[][] factor = new double[size][];
    for (int i = 0; i < size; i++) {
      double[] row = new double[i + 1];
      row[i] = 1;
      for (int j = 0; j < i; j++) {
        subtract(rows[i][j], factor[j], row, j + 1);
      }
      double scale = 1 / rows[i][i];
      for (int j = 0; j <= i; j++) {
        row[j] *= scale;
      }
      factor[i] = row;
    }
    double[][] inverse = new double[size][];
    for (int i = 0; i < size; i++) {
      inverse[i] = new double[i + 1];
      for (int a = 0; a <= i; a++) {
        subtract(-factor[i][a], factor[i], inverse[a], a + 1);
      }
    }
    return inverse;
  }

  /** The scalar product of two arrays' first elements. */
  public static double dot(double[] a, double[] b, int length) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int i = 0;
    for (; i < length - 3; i += 4) {
      s0 += a[i] * b[i];
      s1 += a[i + 1] * b[i + 1];
      s2 += a[i + 2] * b[i + 2];
      s3 += a[i + 3] * b[i + 3];
    }
    for (; i < length; i++) {
      s0 += a[i] * b[i];
    }
    return (s0 + s1) + (s2 + s3);
  }

  /** Twice the same at once: reading and writing what it is taken from is half the work. */
  private static void subtract(
      double byA, double[] a, double byB, double[] b, double[] to, int length) {
    for (int i = 0; i < length; i++) {
      to[i] -= byA * a[i] + byB * b[i];
    }
  }

  private static void subtract(double factor, double[] from, double[] to, int length) {
    for (int i = 0; i < length; i++) {
      to[i] -= factor * from[i];
    }
  }
}
