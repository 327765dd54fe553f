package io.orrery.router.route;

import java.util.Locale;

/**
 * The cost that requests declare in a header, such as the tokens of a prompt.
 *
 * @param header lower case
 */
public record RequestCost(String header) {
  /** The highest cost of a request; what says more counts as this. */
  static final int MOST = 1_000_000;

  public RequestCost {
    header = header.toLowerCase(Locale.ROOT);
  }

  /** The cost of a request, from 0 to {@value #MOST}; 0 when it declares no whole number. */
  public int of(RequestFacts request) {
    String declared = request.header(header);
    return declared == null ? 0 : number(declared);
  }

  private static int number(String text) {
    int number = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return 0;
      }
      number = Math.min(MOST, number * 10 + digit);
    }
    return number;
  }
}
