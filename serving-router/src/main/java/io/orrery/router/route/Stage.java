package io.orrery.router.route;

import java.util.List;

/** The three isolated stages of a service; each answers at a name of its own. */
public enum Stage {
  PRODUCTION("production", ""),
  TEST("test", "test."),
  DEBUG("debug", "debug.");

  static final List<String> WORDS = List.of("production", "test", "debug");

  private final String word;
  private final String prefix;

  Stage(String word, String prefix) {
    this.word = word;
    this.prefix = prefix;
  }

  /** As a table spells it. */
  public String word() {
    return word;
  }

  /** What stands before the host name of a service of this stage. */
  String prefix() {
    return prefix;
  }
}
