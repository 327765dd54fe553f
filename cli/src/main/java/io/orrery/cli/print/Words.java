package io.orrery.cli.print;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values of the API's JSON as people read them; what is missing is a dash. */
public final class Words {
  private static final String NOTHING = "-";
  private static final int DIGITS = 6;

  /** Exponents of ten of numbers that are written without one. */
  private static final int LEAST_PLAIN = -5;

  private static final int MOST_PLAIN = 14;

  private Words() {}

  /** The text of a scalar, the JSON of anything else; numbers as {@link #number} has them. */
  public static String value(JsonNode node) {
    if (node.isMissingNode() || node.isNull()) {
      return NOTHING;
    }
    if (node.isNumber()) {
      return number(node);
    }
    return node.isValueNode() ? node.asText() : json(node);
  }

  /**
   * A number of at most six significant digits, for people: {@code 0.956749}, {@code 0.00096},
   * {@code 1.2e-7}. Whole numbers stay whole.
   */
  public static String number(JsonNode node) {
    if (node.isIntegralNumber() || !Double.isFinite(node.doubleValue())) {
      return node.asText();
    }
    BigDecimal rounded =
        new BigDecimal(node.asText()).round(new MathContext(DIGITS)).stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (rounded.signum() == 0) {
      return "0";
    }
    if (exponent >= LEAST_PLAIN && exponent <= MOST_PLAIN) {
      return rounded.toPlainString();
    }
    String digits = rounded.movePointLeft(exponent).stripTrailingZeros().toPlainString();
    return digits + "e" + exponent;
  }

  /** The JSON of a value, its numbers shortened. */
  private static String json(JsonNode node) {
    StringBuilder text = new StringBuilder();
    append(node, text);
    return text.toString();
  }

  private static void append(JsonNode node, StringBuilder text) {
    if (node.isNumber()) {
      text.append(number(node));
    } else if (node.isObject()) {
      String before = "{";
      for (Map.Entry<String, JsonNode> entry : node.properties()) {
        text.append(before).append(TextNode.valueOf(entry.getKey())).append(':');
        append(entry.getValue(), text);
        before = ",";
      }
      text.append(before.equals("{") ? "{}" : "}");
    } else if (node.isArray()) {
      String before = "[";
      for (JsonNode element : node) {
        text.append(before);
        append(element, text);
        before = ",";
      }
      text.append(before.equals("[") ? "[]" : "]");
    } else {
      text.append(node);
    }
  }

  /** The first sentence of a text. */
  public static String sentence(JsonNode node) {
    String text = value(node);
    int end = text.indexOf(". ");
    return end < 0 ? text : text.substring(0, end + 1);
  }

  /**
   * Why a trial ended as it did, in one line: {@code exit code 1: ValueError: bad}.
   *
   * @param reason of the API: a sentence, and below it perhaps the last lines of stderr
   */
  public static String cause(JsonNode reason) {
    if (!reason.isTextual()) {
      return "";
    }
    List<String> lines = reason.asText().lines().toList();
    String first =
        lines
            .getFirst()
            .replaceFirst("^its command ended with ", "")
            .replaceFirst("; its last lines on stderr:$", "");
    return lines.size() == 1 ? first : first + ": " + lines.getLast().strip();
  }

  /** As {@link #value}, cut to a length with an ellipsis. */
  public static String shortened(JsonNode node, int length) {
    return cut(value(node), length);
  }

  /** Bytes as people read them: {@code 512 B}, {@code 1.5 KiB}, {@code 3.2 GiB}. */
  public static String bytes(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double rest = bytes;
    int unit = 0;
    while (rest >= 1024 && unit < units.length - 1) {
      rest /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", rest, units[unit]);
  }

  /** A text, cut to a length with an ellipsis. */
  public static String cut(String text, int length) {
    return text.codePointCount(0, text.length()) <= length
        ? text
        : text.substring(0, text.offsetByCodePoints(0, Math.max(0, length - 1))) + "…";
  }

  /** A time of the API as seen from now: {@code 3 min ago}. */
  public static String ago(JsonNode time, Instant now) {
    Instant then = instant(time);
    return then == null
        ? NOTHING
        : duration(Duration.ofSeconds(Duration.between(then, now).toSeconds())) + " ago";
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

  /**
   * The two largest units that matter: {@code 0.4 s}, {@code 48 s}, {@code 3 min}, {@code 2 h 5
   * min}.
   */
  public static String duration(Duration duration) {
    long millis = Math.max(0, duration.toMillis());
    if (millis < 10_000 && millis % 1_000 != 0) {
      return String.format(Locale.ROOT, millis < 100 ? "%.2f s" : "%.1f s", millis / 1e3);
    }
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
