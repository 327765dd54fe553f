package io.orrery.core.constraint;

/** The kind of value of an expression. */
public enum Kind {
  NUMBER("a number"),
  TEXT("text"),
  TRUTH("true or false"),
  /** Now this and now that, such as a choice between 1 and {@code auto}. */
  ANY("a value");

  private final String words;

  Kind(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }

  boolean mayBe(Kind other) {
    return this == other || this == ANY || other == ANY;
  }
}
