package io.orrery.core.route;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A range of port numbers, both ends included.
 *
 * @param first 1024 or more
 * @param last at most 65,535
 */
public record PortRange(int first, int last) {
  /** Below the ports that Linux gives to outgoing connections. */
  public static final PortRange STANDARD = new PortRange(30_000, 32_767);

  /** The notation in a sentence. */
  public static final String FORM = "two port numbers from 1024 to 65535 such as 30000-32767";

  private static final int LEAST = 1_024;
  private static final int MOST = 65_535;
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,5})\\s*-\\s*([0-9]{1,5})");

  /**
   * @throws IllegalArgumentException when it is no range of such numbers
   */
  public PortRange {
    if (first < LEAST || last > MOST || first > last) {
      throw new IllegalArgumentException("a range of ports is " + FORM);
    }
  }

  /**
   * Reads {@code 30000-32767}.
   *
   * @throws IllegalArgumentException when the text is none
   */
  public static PortRange parse(String text) {
    Matcher parts = TEXT.matcher(text.strip());
    if (!parts.matches()) {
      throw new IllegalArgumentException("a range of ports is " + FORM);
    }
    return new PortRange(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
  }

  /** Whether a number is in it. */
  public boolean contains(int port) {
    return port >= first && port <= last;
  }

  /** Its numbers, the smallest first. */
  public IntStream numbers() {
    return IntStream.rangeClosed(first, last);
  }

  @Override
  public String toString() {
    return first + "-" + last;
  }
}
