package io.orrery.core.trial;

import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The source of parameters; NNI's {@code parameter_source}, and {@code imported} for a trial that
 * never ran because its result was brought along.
 */
public enum ParameterSource {
  ALGORITHM("algorithm"),
  CUSTOMIZED("customized"),
  RESUMED("resumed"),
  IMPORTED("imported");

  private final String text;

  ParameterSource(String text) {
    this.text = text;
  }

  /** The one of a word of the trial protocol; null when it has no such word. */
  public static @Nullable ParameterSource of(String word) {
    for (ParameterSource source : values()) {
      if (source.text.equals(word)) {
        return source;
      }
    }
    return null;
  }

  /** The word of the trial protocol. */
  @JsonValue
  public String text() {
    return text;
  }
}
