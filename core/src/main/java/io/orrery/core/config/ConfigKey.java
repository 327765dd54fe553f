package io.orrery.core.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.orrery.core.number.Numbers;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A key of the server's configuration, declared once.
 *
 * @param name with dots, as it nests in the file: {@code http.port}
 * @param fallback its value when it is not set; null when it then has none
 * @param bounds what it may be, for the reference and for refusals: {@code 0 to 65535}
 * @param sentence what it is for
 * @param parse reads a value; IllegalArgumentException when it is not within the bounds, or a
 *     Refused problem with findings whose pointers start from the value
 */
public record ConfigKey<T>(
    String name,
    @Nullable T fallback,
    String bounds,
    String sentence,
    Function<JsonNode, T> parse) {

  /** A text. */
  public static ConfigKey<String> text(
      String name, @Nullable String fallback, String bounds, String sentence) {
    return new ConfigKey<>(
        name,
        fallback,
        bounds,
        sentence,
        value -> {
          if (!value.isValueNode()) {
            throw new IllegalArgumentException();
          }
          return value.asText();
        });
  }

  /** A whole number from {@code low} to {@code high}. */
  public static ConfigKey<Integer> integer(
      String name, int fallback, int low, int high, String sentence) {
    return new ConfigKey<>(
        name,
        fallback,
        "a whole number from " + low + " to " + high,
        sentence,
        value -> {
          Long whole = Numbers.whole(value);
          long number = whole == null ? Integer.parseInt(value.asText("").strip()) : whole;
          if (number < low || number > high) {
            throw new IllegalArgumentException();
          }
          return (int) number;
        });
  }

  /**
   * The same key as a part of an object: {@code slow} within {@code limits} is {@code limits.slow}.
   */
  public ConfigKey<T> within(String object) {
    return new ConfigKey<>(object + "." + name, fallback, bounds, sentence, parse);
  }

  /** True or false; false unless set. */
  public static ConfigKey<Boolean> flag(String name, String sentence) {
    return new ConfigKey<>(
        name,
        false,
        "true or false",
        sentence,
        value ->
            switch (value.asText("").strip()) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException();
            });
  }

  /** The environment variable that sets it: {@code ORRERY_HTTP_ADVERTISE_URL}. */
  public String variable() {
    return variable(name);
  }

  /** The environment variable of the key of a name. */
  public static String variable(String name) {
    return "ORRERY_"
        + name.replaceAll("([a-z])([A-Z])", "$1_$2").replace('.', '_').toUpperCase(Locale.ROOT);
  }

  T parse(String text) {
    return parse.apply(TextNode.valueOf(text));
  }
}
