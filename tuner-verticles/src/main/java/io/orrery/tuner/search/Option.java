package io.orrery.tuner.search;

import org.jspecify.annotations.Nullable;

/**
 * An entry of an algorithm's {@code classArgs}.
 *
 * @param standard what holds when it is not given; null when nothing does
 * @param meaning one sentence
 */
public record Option<T>(String name, Shape<T> shape, @Nullable T standard, String meaning) {
  /** An option without a default. */
  public static <T> Option<T> of(String name, Shape<T> shape, String meaning) {
    return new Option<>(name, shape, null, meaning);
  }

  /** An option with a default. */
  public static <T> Option<T> of(String name, Shape<T> shape, T standard, String meaning) {
    return new Option<>(name, shape, standard, meaning);
  }
}
