package io.orrery.core.trial;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Where parameters came from; NNI's {@code parameter_source}, and {@code imported} for a trial that
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

  /** The word of the trial protocol. */
  @JsonValue
  public String text() {
    return text;
  }
}
