package io.orrery.tuner.importance;

import io.orrery.tuner.math.Tree;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.DoubleStream;

/**
 * A tree as a function on the unit cube, and the variances of its marginals.
 *
 * <p>Along one column the marginal is constant between two neighbouring cuts of the tree, or on an
 * option. A leaf adds its mean times its volume in all other columns to the pieces that it spans,
 * and the same to all pieces of the columns that do not bound it; so one walk over the leaves gives
 * every marginal at once.
 */
final class Marginals {
  private final Tree tree;
  private final int[] options;

  /** Where the pieces of each column of numbers meet; empty for a column of options. */
  private final double[][] cuts;

  /** For each column and piece what the leaves add that the column bounds. */
  private final double[][] pieces;

  /** For each column what the leaves add to the mean that it bounds. */
  private final double[] bounded;

  /** The box of the node at hand: the first piece of each column, and the one after the last. */
  private final int[] first;

  private final int[] end;

  /** The options of it. */
  private final BitSet[] allowed;

  /** How many splits on the way to the node at hand bound each column. */
  private final int[] bounds;

  private double mean;
  private double squares;

  Marginals(Tree tree, int[] options) {
    this.tree = tree;
    this.options = options;
    int columns = options.length;
    cuts = cuts();
    pieces = new double[columns][];
    bounded = new double[columns];
    first = new int[columns];
    end = new int[columns];
    bounds = new int[columns];
    allowed = new BitSet[columns];
    for (int column = 0; column < columns; column++) {
      end[column] = options[column] > 0 ? options[column] : cuts[column].length + 1;
      pieces[column] = new double[end[column]];
      allowed[column] = new BitSet();
      allowed[column].set(0, options[column]);
    }
    walk(0, 1);
  }

  private double[][] cuts() {
    DoubleStream.Builder[] found = new DoubleStream.Builder[options.length];
    Arrays.setAll(found, column -> DoubleStream.builder());
    for (int node = 0; node < tree.size(); node++) {
      int column = tree.column(node);
      if (column != Tree.LEAF && options[column] == 0) {
        found[column].add(tree.cut(node));
      }
    }
    return Arrays.stream(found)
        .map(column -> column.build().sorted().distinct().toArray())
        .toArray(double[][]::new);
  }

  private void walk(int node, double volume) {
    int column = tree.column(node);
    if (column == Tree.LEAF) {
      add(tree.mean(node), volume);
      return;
    }
    bounds[column]++;
    if (options[column] == 0) {
      walkNumbers(node, column, volume / measure(column));
    } else {
      walkOptions(node, column, volume / measure(column));
    }
    bounds[column]--;
  }

  private void walkNumbers(int node, int column, double volumeOfOthers) {
    int outerFirst = first[column];
    int outerEnd = end[column];
    int cut = Arrays.binarySearch(cuts[column], tree.cut(node)) + 1;
    end[column] = cut;
    walk(tree.low(node), volumeOfOthers * measure(column));
    first[column] = cut;
    end[column] = outerEnd;
    walk(tree.low(node) + 1, volumeOfOthers * measure(column));
    first[column] = outerFirst;
  }

  private void walkOptions(int node, int column, double volumeOfOthers) {
    BitSet outer = allowed[column];
    BitSet low = new BitSet();
    outer.stream().filter(option -> tree.isLow(node, option)).forEach(low::set);
    BitSet high = (BitSet) outer.clone();
    high.andNot(low);
    allowed[column] = low;
    walk(tree.low(node), volumeOfOthers * measure(column));
    allowed[column] = high;
    walk(tree.low(node) + 1, volumeOfOthers * measure(column));
    allowed[column] = outer;
  }

  private void add(double value, double volume) {
    mean += value * volume;
    squares += value * value * volume;
    for (int column = 0; column < options.length; column++) {
      if (bounds[column] > 0) {
        bounded[column] += value * volume;
        double part = value * volume / measure(column);
        for (int piece = first[column]; piece < end[column]; piece++) {
          if (options[column] == 0 || allowed[column].get(piece)) {
            pieces[column][piece] += part;
          }
        }
      }
    }
  }

  /** The share of a column that the box at hand spans. */
  private double measure(int column) {
    return options[column] > 0
        ? (double) allowed[column].cardinality() / options[column]
        : edge(column, end[column]) - edge(column, first[column]);
  }

  private double edge(int column, int piece) {
    if (piece == 0) {
      return 0;
    }
    return piece > cuts[column].length ? 1 : cuts[column][piece - 1];
  }

  /** For each column the variance of its marginal in the variance of the tree; 0 of a bare leaf. */
  double[] fractions() {
    double[] fractions = new double[options.length];
    double variance = squares - mean * mean;
    if (variance > 0) {
      Arrays.setAll(fractions, column -> variance(column) / variance);
    }
    return fractions;
  }

  private double variance(int column) {
    double sum = 0;
    double unbounded = mean - bounded[column];
    for (int piece = 0; piece < pieces[column].length; piece++) {
      double width =
          options[column] > 0
              ? 1.0 / options[column]
              : edge(column, piece + 1) - edge(column, piece);
      double off = unbounded + pieces[column][piece] - mean;
      sum += width * off * off;
    }
    return sum;
  }
}
