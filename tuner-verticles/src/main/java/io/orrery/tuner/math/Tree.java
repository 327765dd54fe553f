package io.orrery.tuner.math;

import java.util.Arrays;

/**
 * A regression tree in flat arrays. Nodes are numbered from the root, 0; a node that is split has
 * two children with numbers in a row, the one for low values first. Immutable and thread safe.
 */
public final class Tree {
  /** What {@link #column} says of a node that is not split. */
  public static final int LEAF = -1;

  private static final long[] NO_SET = {};

  private final int[] columns;
  private final double[] cuts;
  private final long[][] sets;
  private final int[] lows;
  private final double[] means;
  private final double[] variances;

  private Tree(
      int[] columns, double[] cuts, long[][] sets, int[] lows, double[] means, double[] variances) {
    this.columns = columns;
    this.cuts = cuts;
    this.sets = sets;
    this.lows = lows;
    this.means = means;
    this.variances = variances;
  }

  /** The leaf that a row falls into; where it lacks the value that decides, it goes high. */
  public int leaf(double[] row) {
    int node = 0;
    int column = columns[0];
    while (column != LEAF) {
      node = lows[node] + (isLow(sets[node], cuts[node], row[column]) ? 0 : 1);
      column = columns[node];
    }
    return node;
  }

  private static boolean isLow(long[] set, double cut, double value) {
    return set.length == 0 ? value <= cut : value >= 0 && contains(set, (int) value);
  }

  private static boolean contains(long[] set, int option) {
    return (set[option >> 6] >>> option & 1) != 0;
  }

  /** How many nodes there are. */
  public int size() {
    return columns.length;
  }

  /** The column that a node is split by, {@link #LEAF} when it is not. */
  public int column(int node) {
    return columns[node];
  }

  /** Up to where the numbers of its column go low. */
  public double cut(int node) {
    return cuts[node];
  }

  /** Whether an option of its column goes low. */
  public boolean isLow(int node, int option) {
    return contains(sets[node], option);
  }

  /** The child for low values; that for high ones has the next number. */
  public int low(int node) {
    return lows[node];
  }

  /** The mean of the rows that grew it. */
  public double mean(int node) {
    return means[node];
  }

  /** The variance of the rows that grew it. */
  public double variance(int node) {
    return variances[node];
  }

  /** A tree in the making. */
  static final class Builder {
    private final int[] columns;
    private final double[] cuts;
    private final long[][] sets;
    private final int[] lows;
    private final double[] means;
    private final double[] variances;
    private int size = 1;

    /**
     * @param most how many nodes it may get
     */
    Builder(int most) {
      columns = new int[most];
      cuts = new double[most];
      sets = new long[most][];
      lows = new int[most];
      means = new double[most];
      variances = new double[most];
    }

    /** What a node is as long as it is not split. */
    void leaf(int node, double mean, double variance) {
      columns[node] = LEAF;
      sets[node] = NO_SET;
      means[node] = mean;
      variances[node] = variance;
    }

    /** Splits a leaf by numbers; its children are to be told what they are. */
    int split(int node, int column, double cut) {
      cuts[node] = cut;
      return split(node, column);
    }

    /** Splits a leaf by the options that go low. */
    int split(int node, int column, long[] set) {
      sets[node] = set;
      return split(node, column);
    }

    private int split(int node, int column) {
      columns[node] = column;
      lows[node] = size;
      size += 2;
      return lows[node];
    }

    boolean isLow(int node, double value) {
      return Tree.isLow(sets[node], cuts[node], value);
    }

    Tree build() {
      return new Tree(
          Arrays.copyOf(columns, size),
          Arrays.copyOf(cuts, size),
          Arrays.copyOf(sets, size),
          Arrays.copyOf(lows, size),
          Arrays.copyOf(means, size),
          Arrays.copyOf(variances, size));
    }
  }
}
