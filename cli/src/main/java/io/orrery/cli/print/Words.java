package io.orrery.cli.print;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Values of the API's JSON as people read them; what is missing is a dash. */
public final class Words {
  private static final String NOTHING = "-";

  private Words() {}

  /** The text of a scalar, the JSON of anything else. */
  public static String value(JsonNode node) {
    if (node.isMissingNode() || node.isNull()) {
      return NOTHING;
    }
    return node.isValueNode() ? node.asText() : node.toString();
  }

  /** As {@link #value}, cut to a length with an ellipsis. */
  public static String shortened(JsonNode node, int length) {
    return cut(value(node), length);
  }

  static String cut(String text, int length) {
    return text.codePointCount(0, text.length()) <= length
        ? text
        : text.substring(0, text.offsetByCodePoints(0, Math.max(0, length - 1))) + "…";
  }

  /** A time of the API as seen from now: {@code 3 min ago}. */
  public static String ago(JsonNode time, Instant now) {
    Instant then = instant(time);
    return then == null ? NOTHING : duration(Duration.between(then, now)) + " ago";
  }

  /** From one time of the API to another, or to now when there is no second one yet. */
  public static String between(JsonNode start, JsonNode end, Instant now) {
    Instant from = instant(start);
    if (from == null) {
      return NOTHING;
    }
    Instant to = instant(end);
    return duration(Duration.between(from, to == null ? now : to));
  }

  /** The two largest units that matter: {@code 48 s}, {@code 3 min}, {@code 2 h 5 min}. */
  public static String duration(Duration duration) {
    long seconds = Math.max(0, duration.toSeconds());
    if (seconds < 100) {
      return seconds + " s";
    }
    long minutes = seconds / 60;
    if (minutes < 100) {
      return minutes + " min";
    }
    long hours = minutes / 60;
    return hours < 48
        ? hours + " h " + minutes % 60 + " min"
        : hours / 24 + " d " + hours % 24 + " h";
  }

  private static @Nullable Instant instant(JsonNode time) {
    try {
      return time.isTextual() ? Instant.parse(time.asText()) : null;
    } catch (DateTimeException e) {
      return null;
    }
  }
}
