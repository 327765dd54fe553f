package io.orrery.core.tracking;

/**
 * A field that a filter compares or an order sorts by.
 *
 * @param key of the metric, parameter or tag; the name of the attribute
 */
public record SearchField(Kind kind, String key) {
  /** The kinds of fields. */
  public enum Kind {
    METRIC,
    PARAMETER,
    TAG,
    /** An attribute that is a text. */
    TEXT,
    /** An attribute that is a number. */
    NUMBER;

    /** Whether values of this kind are numbers. */
    public boolean isNumeric() {
      return this == METRIC || this == NUMBER;
    }
  }
}
