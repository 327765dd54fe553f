package io.orrery.gateway.http;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.text.Nearest;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parameters behind the question mark, read and checked. Every method refuses a value that it
 * cannot read, naming the parameter.
 *
 * <p>An unknown name is left alone (proxies and pages add their own), unless it is nearly one of
 * ours: {@code ?dryrun=true} must not start an experiment.
 */
public final class Query {
  /** The latest instant whose year has four digits. */
  public static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

  /** Parameters that may be given several times. */
  private static final Set<String> REPEATED = Set.of("where");

  /** Shorter names are near to everything. */
  private static final int LEAST_MISSPELT = 3;

  private final MultiMap values;
  private final List<String> ours;

  private Query(MultiMap values, List<String> ours) {
    this.values = values;
    this.ours = ours;
  }

  /** The parameters that the route was declared with. */
  public static Query of(RoutingContext context) {
    MultiMap values = context.queryParams();
    Served served = context.currentRoute().getMetadata(Served.KEY);
    List<String> ours = served.query();
    for (String name : values.names()) {
      if (ours.contains(name)) {
        if (values.getAll(name).size() > 1 && !REPEATED.contains(name)) {
          throw refused("the query parameter '" + name + "' is here twice");
        }
      } else if (name.length() >= LEAST_MISSPELT) {
        Nearest.to(name, ours)
            .ifPresent(near -> {
              throw refused(
                  "unknown query parameter '" + name + "' (did you mean '" + near + "'?)");
            });
      }
    }
    return new Query(values, ours);
  }

  /** The text as it came, null when absent or empty. */
  public @Nullable String text(String name) {
    String value = value(name);
    return value == null || value.isEmpty() ? null : value;
  }

  /** Absent is false; the bare name is true. */
  public boolean flag(String name) {
    return switch (value(name)) {
      case null -> false;
      case "", "true" -> true;
      case "false" -> false;
      case String other ->
          throw refused("the query parameter '" + name + "' is true or false, not '" + other + "'");
    };
  }

  /** A whole number within bounds, {@code standard} when absent. */
  public long integer(String name, long standard, long min, long max) {
    String value = text(name);
    if (value == null) {
      return standard;
    }
    try {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Refused below, together with numbers out of bounds.
    }
    throw refused(
        String.format(
            Locale.ROOT,
            "the query parameter '%s' is a whole number from %,d to %,d, not '%s'",
            name,
            min,
            max,
            value));
  }

  /**
   * The text as {@code reader} understands it, null when absent; what that refuses is refused with
   * the parameter's name in front.
   */
  public <T> @Nullable T read(String name, Function<String, T> reader) {
    String text = text(name);
    return text == null ? null : read(name, text, reader);
  }

  /** The same of a parameter that may be given up to {@code most} times. */
  public <T> List<T> readAll(String name, int most, Function<String, T> reader) {
    value(name);
    List<String> texts = values.getAll(name);
    if (texts.size() > most) {
      throw refused(
          "the query parameter '" + name + "' is here " + texts.size() + " times; at most " + most);
    }
    return texts.stream().map(text -> read(name, text, reader)).toList();
  }

  private static <T> T read(String name, String text, Function<String, T> reader) {
    try {
      return reader.apply(text);
    } catch (ProblemException e) {
      if (e.problem() instanceof Problem.Refused why && !why.findings().isEmpty()) {
        throw refused(
            "the query parameter '"
                + name
                + "' is '"
                + text
                + "': "
                + why.findings().getFirst().message());
      }
      throw e;
    }
  }

  /** An instant as {@code 2026-01-31T12:00:00Z} of the years 1970 to 9999, null when absent. */
  public @Nullable Instant instant(String name) {
    return read(name, Query::instantOf);
  }

  private static Instant instantOf(String text) {
    try {
      Instant at = Instant.parse(text);
      if (!at.isBefore(Instant.EPOCH) && !at.isAfter(LATEST)) {
        return at;
      }
    } catch (DateTimeParseException e) {
      // Said below.
    }
    throw refused("an instant is written 2026-01-31T12:00:00Z");
  }

  /** One of some words, null when absent. */
  public @Nullable String oneOf(String name, Collection<String> words) {
    String value = text(name);
    if (value == null || words.contains(value)) {
      return value;
    }
    throw refused(
        "the query parameter '"
            + name
            + "' is one of "
            + String.join(", ", words)
            + "; not '"
            + value
            + "'"
            + Nearest.hint(value, words));
  }

  /** One of an enum's names, null when absent. */
  public <E extends Enum<E>> @Nullable E oneOf(String name, Class<E> type) {
    String word = oneOf(name, Arrays.stream(type.getEnumConstants()).map(Enum::name).toList());
    return word == null ? null : Enum.valueOf(type, word);
  }

  private @Nullable String value(String name) {
    if (!ours.contains(name)) {
      throw new IllegalArgumentException("the route was not declared with the parameter " + name);
    }
    return values.get(name);
  }

  private static ProblemException refused(String message) {
    return new Problem.Refused(new Finding("", message)).toException();
  }
}
