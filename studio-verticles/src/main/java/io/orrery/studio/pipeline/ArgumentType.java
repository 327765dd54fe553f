package io.orrery.studio.pipeline;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The type of an argument of a template, or of a parameter of a pipeline. */
enum ArgumentType {
  INT,
  BOOL,
  STR,
  /** A text of several lines. */
  TEXT,
  ENUM,
  FLOAT,
  /** Some of the choices. */
  MULTIPLE,
  DICT,
  LIST,
  FILE,
  JSON;

  /** The types that elements of lists and choices may have. */
  static final Set<ArgumentType> OF_ITEMS = Set.of(INT, STR, TEXT, FLOAT, DICT);

  /** The type as documents write it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<ArgumentType> of(String word) {
    return Arrays.stream(values()).filter(type -> type.word().equals(word)).findFirst();
  }

  static List<String> words() {
    return Arrays.stream(values()).map(ArgumentType::word).toList();
  }

  /** Whether values are chosen among some. */
  boolean hasChoice() {
    return this == ENUM || this == MULTIPLE;
  }

  /** Whether it is a number. */
  boolean isNumber() {
    return this == INT || this == FLOAT;
  }
}
