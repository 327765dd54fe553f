package io.orrery.core.trial;

import com.fasterxml.jackson.annotation.JsonValue;

/** Where parameters came from; NNI's {@code parameter_source}. */
public enum ParameterSource {
  ALGORITHM("algorithm"),
  CUSTOMIZED("customized"),
  RESUMED("resumed");

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
