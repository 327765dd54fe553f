package io.orrery.tuner.math;

import java.util.ArrayList;
import java.util.List;

/**
 * A regression forest (Breiman: "Random forests", Machine Learning 45, 2001) over rows of doubles.
 *
 * <p>A column holds numbers, or the indices of options, which a split divides into any two sets. A
 * row may lack a value (NaN); a node can be split by a column only when all of its rows have it. So
 * a parameter of a nested choice is looked at only below the split that makes it exist, and a tree
 * is a function that does not care for what does not exist.
 *
 * <p>Immutable and thread safe.
 */
public final class Forest {
  private final List<Tree> trees;

  private Forest(List<Tree> trees) {
    this.trees = List.copyOf(trees);
  }

  /**
   * The settings by which trees grow.
   *
   * @param trees how many, 1 or more
   * @param depth the most splits between the root and a leaf
   * @param minSplit nodes with fewer rows are not split
   * @param columnShare the share of the columns that each split chooses among, above 0 to 1
   * @param bootstrap whether each tree gets its own sample of the rows, drawn with replacement
   * @param randomCuts whether a cut lies anywhere between two neighbouring values, by chance,
   *     rather than midway: trees then differ where nothing was seen, and their disagreement tells
   *     of it
   */
  public record Growth(
      int trees,
      int depth,
      int minSplit,
      double columnShare,
      boolean bootstrap,
      boolean randomCuts) {
    public Growth {
      if (trees < 1 || depth < 0 || minSplit < 2 || !(columnShare > 0 && columnShare <= 1)) {
        throw new IllegalArgumentException("no forest grows like that");
      }
    }
  }

  /**
   * Grows a forest.
   *
   * @param rows at least one, of equal length; NaN where a value lacks
   * @param values of the rows, finite
   * @param options for each column the number of its options, or 0 when it holds numbers
   * @param rng the only source of chance
   */
  public static Forest grow(
      double[][] rows, double[] values, int[] options, Growth growth, Rng rng) {
    ForestRows table = new ForestRows(rows, values, options);
    List<Tree> trees = new ArrayList<>();
    for (int i = 0; i < growth.trees(); i++) {
      trees.add(new TreeGrower(table, growth, rng.split(i)).grow());
    }
    return new Forest(trees);
  }

  public List<Tree> trees() {
    return trees;
  }

  /**
   * The value that the forest expects.
   *
   * @param mean of the trees' answers
   * @param variance between the trees' answers and, on average, within their leaves
   */
  public record Estimate(double mean, double variance) {}

  /** What the forest expects of a row, by the law of total variance (Hutter et al. 2014). */
  public Estimate estimate(double[] row) {
    double sum = 0;
    double squares = 0;
    double within = 0;
    for (Tree tree : trees) {
      int leaf = tree.leaf(row);
      double mean = tree.mean(leaf);
      sum += mean;
      squares += mean * mean;
      within += tree.variance(leaf);
    }
    int count = trees.size();
    double mean = sum / count;
    return new Estimate(
        mean, Math.max(0, squares / count - mean * mean) + Math.max(0, within / count));
  }
}
