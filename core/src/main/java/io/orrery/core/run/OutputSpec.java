package io.orrery.core.run;

/**
 * A declared output of a step.
 *
 * @param name by which others refer to it
 * @param value whether it is a text: the file {@code $ORRERY_OUTPUTS/<source>}, or a line {@code
 *     orrery: output <source> TEXT} of stdout
 * @param source the name of the value; or the path of a file or directory below {@code
 *     $ORRERY_OUTPUTS}
 */
public record OutputSpec(String name, boolean value, String source) {
  /** The most bytes of a value. */
  public static final int MOST_BYTES = 32 << 10;
}
