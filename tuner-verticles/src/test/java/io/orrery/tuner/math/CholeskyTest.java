package io.orrery.tuner.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CholeskyTest {
  /** G Gᵀ + 1 of a random G: symmetric and positive definite. */
  private static double[][] matrix(int n) {
    Rng rng = Rng.keyed(1, n);
    double[][] g = new double[n][n];
    for (double[] row : g) {
      for (int j = 0; j < n; j++) {
        row[j] = rng.nextGaussian();
      }
    }
    double[][] a = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        a[i][j] = Cholesky.dot(g[i], g[j], n) + (i == j ? 1 : 0);
      }
    }
    return a;
  }

  private static Cholesky factor(double[][] a, int rows) {
    Cholesky factor = new Cholesky(1);
    for (int i = 0; i < rows; i++) {
      assertThat(factor.append(Arrays.copyOf(a[i], i + 1))).isTrue();
    }
    return factor;
  }

  private static double[] times(double[][] a, double[] x) {
    double[] product = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      product[i] = Cholesky.dot(a[i], x, x.length);
    }
    return product;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 40})
  void forwardAndBackwardTogetherSolve(int n) {
    double[][] a = matrix(n);
    double[] x = new double[n];
    Arrays.setAll(x, i -> i - 2.5);
    double[] b = times(a, x);
    Cholesky factor = factor(a, n);
    factor.forward(b);
    factor.backward(b);
    assertThat(b).containsExactly(x, within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 40})
  void manyVectorsGoForwardAtOnceAsTheyDoOneByOne(int n) {
    Cholesky factor = factor(matrix(n), n);
    double[][] together = new double[n][3];
    for (int column = 0; column < 3; column++) {
      double[] alone = new double[n];
      double start = column;
      Arrays.setAll(alone, i -> Math.sin(i + start));
      for (int i = 0; i < n; i++) {
        together[i][column] = alone[i];
      }
    }
    double[][] before = Arrays.stream(together).map(double[]::clone).toArray(double[][]::new);
    factor.forward(together);
    for (int column = 0; column < 3; column++) {
      double[] alone = new double[n];
      int at = column;
      Arrays.setAll(alone, i -> before[i][at]);
      factor.forward(alone);
      for (int i = 0; i < n; i++) {
        assertThat(together[i][column]).isCloseTo(alone[i], within(1e-12));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 30})
  void theInverseTimesTheMatrixIsTheIdentity(int n) {
    double[][] a = matrix(n);
    double[][] inverse = factor(a, n).inverse();
    for (int i = 0; i < n; i++) {
      double[] row = new double[n];
      for (int j = 0; j < n; j++) {
        row[j] = j <= i ? inverse[i][j] : inverse[j][i];
      }
      double[] identity = new double[n];
      identity[i] = 1;
      assertThat(times(a, row)).containsExactly(identity, within(1e-9));
    }
  }

  @Test
  void theFactorTimesItsTransposeIsTheMatrix() {
    double[][] a = matrix(6);
    Cholesky factor = factor(a, 6);
    double[] unit = new double[6];
    unit[3] = 1;
    double[] solved = times(a, unit);
    factor.forward(solved);
    assertThat(factor.times(solved)).containsExactly(times(a, unit), within(1e-9));
  }

  @Test
  void theDeterminantIsThatOfTwoByTwo() {
    double[][] a = {{4, 2}, {2, 3}};
    assertThat(factor(a, 2).logDeterminant()).isCloseTo(Math.log(8), within(1e-12));
  }

  @Test
  void whatGrewAndWasCutIsBitForBitWhatIsMadeAnew() {
    double[][] a = matrix(20);
    Cholesky grown = factor(a, 20);
    grown.truncate(12);
    for (int i = 12; i < 20; i++) {
      grown.append(Arrays.copyOf(a[i], i + 1));
    }
    double[] b = new double[20];
    Arrays.fill(b, 1);
    double[] c = b.clone();
    grown.forward(b);
    factor(a, 20).forward(c);
    assertThat(b).isEqualTo(c);
  }

  @Test
  void aMatrixThatIsNotPositiveDefiniteIsDeclinedAndChangesNothing() {
    Cholesky factor = factor(new double[][] {{4, 2}, {2, 3}}, 2);
    assertThat(factor.append(new double[] {4, 2, 4})).isFalse();
    assertThat(factor.size()).isEqualTo(2);
    assertThat(factor.append(new double[] {Double.NaN, 2, 9})).isFalse();
  }
}
