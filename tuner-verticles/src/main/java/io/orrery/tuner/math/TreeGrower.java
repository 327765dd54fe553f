package io.orrery.tuner.math;

import java.util.Arrays;

/**
 * Grows one tree, by the greatest decrease of the squared error (Breiman, Friedman, Olshen, Stone:
 * "Classification and regression trees", 1984).
 *
 * <p>A split divides the sorted orders of its rows without sorting again, so a level of the tree
 * costs one pass over the rows for each column. Options are put in the order of their mean values,
 * and the best cut through that order is the best of all divisions in two (Fisher: "On grouping for
 * maximum homogeneity", 1958).
 */
final class TreeGrower {
  /** A gain below this share of the squares is a rounding error. */
  private static final double NOTHING = 1e-12;

  private final ForestRows table;
  private final double[] values;
  private final Forest.Growth growth;
  private final Rng rng;
  private final int inspected;

  /** How often each row was drawn. */
  private final int[] weights;

  /** The rows by each column, and as they came; a node owns the same piece of every order. */
  private final int[][] orders;

  private final boolean[] goesLow;
  private final int[] spare;
  private final int[] columns;
  private final Groups groups;
  private final Tree.Builder nodes;

  /** The best split of the node at hand that has been found so far. */
  private double bestGain;

  private int bestColumn;
  private double bestCut;
  private long[] bestSet = {};

  TreeGrower(ForestRows table, Forest.Growth growth, Rng rng) {
    this.table = table;
    this.values = table.values();
    this.growth = growth;
    this.rng = rng;
    inspected = (int) Math.ceil(growth.columnShare() * table.columns());
    weights = draw(table.rows(), growth.bootstrap(), rng);
    orders = new int[table.columns() + 1][];
    for (int column = 0; column < table.columns(); column++) {
      orders[column] = drawn(table.order(column));
    }
    int[] all = new int[table.rows()];
    Arrays.setAll(all, row -> row);
    int[] rows = drawn(all);
    orders[table.columns()] = rows;
    goesLow = new boolean[table.rows()];
    spare = new int[rows.length];
    columns = new int[table.columns()];
    Arrays.setAll(columns, column -> column);
    groups = new Groups(rows.length);
    nodes = new Tree.Builder(2 * rows.length - 1);
  }

  private static int[] draw(int count, boolean bootstrap, Rng rng) {
    int[] weights = new int[count];
    if (!bootstrap) {
      Arrays.fill(weights, 1);
      return weights;
    }
    for (int i = 0; i < count; i++) {
      weights[rng.nextInt(count)]++;
    }
    return weights;
  }

  private int[] drawn(int[] order) {
    int[] rows = new int[order.length];
    int count = 0;
    for (int row : order) {
      if (weights[row] > 0) {
        rows[count++] = row;
      }
    }
    return Arrays.copyOf(rows, count);
  }

  Tree grow() {
    grow(0, 0, spare.length, 0);
    return nodes.build();
  }

  private void grow(int node, int from, int to, int depth) {
    int[] rows = orders[columns.length];
    int weight = 0;
    double sum = 0;
    double squares = 0;
    for (int i = from; i < to; i++) {
      int row = rows[i];
      double value = values[row];
      weight += weights[row];
      sum += weights[row] * value;
      squares += weights[row] * value * value;
    }
    double mean = sum / weight;
    double error = squares - sum * mean;
    nodes.leaf(node, table.centre() + mean, Math.max(0, error / weight));
    if (weight < growth.minSplit() || depth == growth.depth() || error <= NOTHING * squares) {
      return;
    }
    if (findSplit(from, to, weight, sum, NOTHING * squares)) {
      int column = bestColumn;
      int low =
          table.options(column) == 0
              ? nodes.split(node, column, bestCut)
              : nodes.split(node, column, bestSet);
      int middle = divide(node, column, from, to);
      grow(low, from, middle, depth + 1);
      grow(low + 1, middle, to, depth + 1);
    }
  }

  /** Looks at columns in a random order until enough of them could have split the rows. */
  private boolean findSplit(int from, int to, int weight, double sum, double least) {
    bestGain = least;
    bestColumn = Tree.LEAF;
    int seen = 0;
    for (int i = 0; i < columns.length && seen < inspected; i++) {
      int other = i + rng.nextInt(columns.length - i);
      int column = columns[other];
      columns[other] = columns[i];
      columns[i] = column;
      if (divides(column, from, to)) {
        seen++;
        if (table.options(column) == 0) {
          findCut(column, from, to, weight, sum);
        } else {
          findSet(column, from, to, weight, sum);
        }
      }
    }
    return bestColumn != Tree.LEAF;
  }

  /** Whether all rows have a value of the column, and not all the same. */
  private boolean divides(int column, int from, int to) {
    double[] keys = table.column(column);
    double last = keys[orders[column][to - 1]];
    return !Double.isNaN(last) && keys[orders[column][from]] < last;
  }

  private void findCut(int column, int from, int to, int weight, double sum) {
    double[] keys = table.column(column);
    int[] order = orders[column];
    double base = sum * sum / weight;
    double lowSum = 0;
    int lowWeight = 0;
    int at = -1;
    for (int i = from; i < to - 1; i++) {
      int row = order[i];
      lowSum += weights[row] * values[row];
      lowWeight += weights[row];
      if (keys[row] < keys[order[i + 1]]) {
        double gain = gain(lowSum, lowWeight, sum, weight) - base;
        if (gain > bestGain) {
          bestGain = gain;
          at = i;
        }
      }
    }
    if (at >= 0) {
      bestColumn = column;
      double below = keys[order[at]];
      double above = keys[order[at + 1]];
      double share = growth.randomCuts() ? rng.nextOpen() : 0.5;
      double cut = below + share * (above - below);
      bestCut = cut < above ? cut : below;
    }
  }

  private void findSet(int column, int from, int to, int weight, double sum) {
    double[] keys = table.column(column);
    int[] order = orders[column];
    groups.clear();
    for (int i = from; i < to; i++) {
      int row = order[i];
      groups.add((int) keys[row], weights[row], weights[row] * values[row]);
    }
    groups.sort();
    double base = sum * sum / weight;
    double lowSum = 0;
    int lowWeight = 0;
    int at = -1;
    for (int i = 0; i < groups.count() - 1; i++) {
      lowSum += groups.sum(i);
      lowWeight += groups.weight(i);
      double gain = gain(lowSum, lowWeight, sum, weight) - base;
      if (gain > bestGain) {
        bestGain = gain;
        at = i;
      }
    }
    if (at >= 0) {
      bestColumn = column;
      bestSet = set(table.options(column), at);
    }
  }

  /** The first groups; an option that no row has goes either way, by chance. */
  private long[] set(int options, int last) {
    long[] set = new long[(options + 63) / 64];
    Arrays.setAll(set, word -> rng.nextLong());
    for (int i = 0; i < groups.count(); i++) {
      long bit = 1L << groups.option(i);
      int word = groups.option(i) >> 6;
      set[word] = i <= last ? set[word] | bit : set[word] & ~bit;
    }
    return set;
  }

  private static double gain(double lowSum, int lowWeight, double sum, int weight) {
    double highSum = sum - lowSum;
    return lowSum * lowSum / lowWeight + highSum * highSum / (weight - lowWeight);
  }

  /** Brings the low rows of every order before the high ones, and says where these begin. */
  private int divide(int node, int column, int from, int to) {
    double[] keys = table.column(column);
    int[] rows = orders[columns.length];
    for (int i = from; i < to; i++) {
      goesLow[rows[i]] = nodes.isLow(node, keys[rows[i]]);
    }
    int middle = from;
    for (int[] order : orders) {
      int low = from;
      int high = 0;
      for (int i = from; i < to; i++) {
        int row = order[i];
        if (goesLow[row]) {
          order[low++] = row;
        } else {
          spare[high++] = row;
        }
      }
      System.arraycopy(spare, 0, order, low, high);
      middle = low;
    }
    return middle;
  }
}
