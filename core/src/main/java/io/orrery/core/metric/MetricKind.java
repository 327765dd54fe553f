package io.orrery.core.metric;

import com.fasterxml.jackson.annotation.JsonValue;

/** The kind of a reported value. */
public enum MetricKind {
  /** A point on the way; NNI calls it PERIODICAL. */
  INTERMEDIATE("intermediate"),
  /** The result. The last one of the last attempt counts. */
  FINAL("final");

  private final String text;

  MetricKind(String text) {
    this.text = text;
  }

  @JsonValue
  public String text() {
    return text;
  }
}
