package io.orrery.core.metric;

/**
 * An objective of a search.
 *
 * @param metric the entry of a result that it looks at; {@link #STANDARD} for the number that a
 *     result is, or has under that name
 * @param goal whether more of it is better or less
 */
public record Objective(String metric, Direction goal) {
  /** The entry that stands for a result as a whole, NNI's name for it. */
  public static final String STANDARD = "default";
}
