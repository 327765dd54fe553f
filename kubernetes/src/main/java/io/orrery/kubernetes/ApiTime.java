package io.orrery.kubernetes;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Times as API servers write them: to the second, and in UTC. Other ways are read as well. */
public final class ApiTime {
  private static final String SHAPE = "0000-00-00T00:00:00Z";

  private ApiTime() {}

  /**
   * @throws java.time.format.DateTimeParseException when it is no time
   */
  public static Instant parse(String text) {
    if (!hasShape(text)) {
      return Instant.parse(text);
    }
    try {
      return LocalDateTime.of(
              number(text, 0, 4),
              number(text, 5, 7),
              number(text, 8, 10),
              number(text, 11, 13),
              number(text, 14, 16),
              number(text, 17, 19))
          .toInstant(ZoneOffset.UTC);
    } catch (DateTimeException outOfRange) {
      return Instant.parse(text);
    }
  }

  private static boolean hasShape(String text) {
    boolean fits = text.length() == SHAPE.length();
    for (int i = 0; fits && i < SHAPE.length(); i++) {
      char wanted = SHAPE.charAt(i);
      char is = text.charAt(i);
      fits = wanted == '0' ? is >= '0' && is <= '9' : is == wanted;
    }
    return fits;
  }

  private static int number(String text, int begin, int end) {
    return Integer.parseInt(text, begin, end, 10);
  }
}
