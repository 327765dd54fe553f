package io.orrery.core.metric;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The objectives of a search, in the order of the configuration. The first one stands for a result
 * where one number is needed (the best trial, charts, assessors).
 *
 * @param all one or more, of different metrics
 */
public record Objectives(@JsonValue List<Objective> all) {
  public Objectives {
    all = List.copyOf(all);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("a search has an objective");
    }
  }

  /** The number that a result is, and nothing else. */
  public static Objectives of(Direction direction) {
    return new Objectives(List.of(new Objective(Objective.STANDARD, direction)));
  }

  /** What was stored: a list, or the direction alone as before there could be several. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static Objectives of(JsonNode stored) {
    return stored.isTextual()
        ? of(Json.MAPPER.convertValue(stored, Direction.class))
        : new Objectives(Json.MAPPER.convertValue(stored, new TypeReference<>() {}));
  }

  /** Whether there is more than one. */
  public boolean several() {
    return all.size() > 1;
  }

  /** Whether more or less of the first is better. */
  public Direction direction() {
    return all.getFirst().goal();
  }

  /** The same value, its number being that of the first objective. */
  public MetricValue counted(MetricValue value) {
    return new MetricValue(numbers(value).getFirst(), value.document());
  }

  /**
   * What a result says to each objective, in their order; NaN where it says nothing. A plain number
   * speaks to the first alone.
   *
   * @param value null when a trial had no result
   */
  public List<Double> numbers(@Nullable MetricValue value) {
    return read(value, (goal, number) -> number);
  }

  /**
   * The same as measures ({@link Direction#measure}): what was reported and is not finite counts by
   * the one rule, and NaN is left for what is no measure or was not reported.
   *
   * @param value null when a trial had no result
   */
  public List<Double> measures(@Nullable MetricValue value) {
    return read(value, Direction::measure);
  }

  /** A conversion of a reported number to the value that counts for a goal. */
  @FunctionalInterface
  private interface Count {
    double of(Direction goal, double reported);
  }

  private List<Double> read(@Nullable MetricValue value, Count count) {
    if (value == null) {
      return all.stream().map(objective -> Double.NaN).toList();
    }
    if (value.document() == null) {
      Objective first = all.getFirst();
      return all.stream()
          .map(objective ->
              objective.equals(first) ? count.of(objective.goal(), value.number()) : Double.NaN)
          .toList();
    }
    JsonNode entries = Json.parse(value.document());
    return all.stream()
        .map(objective -> {
          Double number = MetricValue.numberAt(entries, objective.metric());
          return number == null ? Double.NaN : count.of(objective.goal(), number);
        })
        .toList();
  }

  /**
   * Whether results are better in something and worse in nothing.
   *
   * @param better numbers of a result, all finite
   * @param worse those of another one
   */
  public boolean dominates(List<Double> better, List<Double> worse) {
    boolean somewhere = false;
    for (int i = 0; i < all.size(); i++) {
      Direction goal = all.get(i).goal();
      if (goal.better(worse.get(i), better.get(i))) {
        return false;
      }
      somewhere |= goal.better(better.get(i), worse.get(i));
    }
    return somewhere;
  }
}
