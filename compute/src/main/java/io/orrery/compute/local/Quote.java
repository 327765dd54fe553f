package io.orrery.compute.local;

/** A line of a trial's output, cut and made plain so that a notice can quote it. */
final class Quote {
  private static final int MOST = 200;

  private Quote() {}

  /** At most {@value #MOST} characters, with a question mark for each control character. */
  static String of(String line) {
    String plain = line.strip().replaceAll("\\p{Cntrl}", "?");
    return plain.length() <= MOST ? plain : plain.substring(0, MOST) + "…";
  }
}
