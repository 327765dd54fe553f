package io.orrery.core.run;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An output that a step had.
 *
 * @param kind what it is
 * @param value the text of a value; null for an artifact
 * @param digest SHA-256 of an artifact; null for a value
 * @param bytes of the artifact as it is stored, or of the value
 */
public record StepOutput(
    String name, Kind kind, @Nullable String value, @Nullable String digest, long bytes) {
  /** The kind of an output. */
  public enum Kind {
    VALUE,
    FILE,
    /** A directory, stored as a tar stream that depends on its content alone. */
    DIRECTORY
  }

  /** A value. */
  public static StepOutput of(String name, String text) {
    return new StepOutput(
        name, Kind.VALUE, text, null, text.getBytes(StandardCharsets.UTF_8).length);
  }

  /** The text that stands for the output in cache keys: equal for equal contents. */
  public String content() {
    return kind == Kind.VALUE ? "value:" + value : "sha256:" + digest;
  }
}
