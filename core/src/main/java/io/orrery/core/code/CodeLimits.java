package io.orrery.core.code;

/**
 * The limits of code that is shipped.
 *
 * @param entries files, directories and links together
 * @param bytes of all files together, before they are packed
 */
public record CodeLimits(int entries, long bytes) {
  /** NNI's: 2,000 entries and 300 MB. */
  public static final CodeLimits DEFAULT = new CodeLimits(2_000, 300L << 20);
}
