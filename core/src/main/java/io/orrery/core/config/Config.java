package io.orrery.core.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of all keys, each from the place that has the last word on it. */
public final class Config {
  private final Map<ConfigKey<?>, Object> values;

  Config(Map<ConfigKey<?>, Object> values) {
    this.values = Map.copyOf(values);
  }

  /** The value of a key, or its fallback when it is not set. */
  @SuppressWarnings("unchecked") // put there by ConfigReader, from the key's own parser
  public <T> @Nullable T find(ConfigKey<T> key) {
    Object value = values.get(key);
    return value == null ? key.fallback() : (T) value;
  }

  /** The value of a key that has a fallback. */
  public <T> T get(ConfigKey<T> key) {
    T value = find(key);
    if (value == null) {
      throw new IllegalStateException(key.name() + " has neither value nor fallback");
    }
    return value;
  }
}
