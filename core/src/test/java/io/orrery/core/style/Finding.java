package io.orrery.core.style;

/**
 * A place that breaks a rule.
 *
 * @param path the file, relative to the repository root, with forward slashes
 * @param line the line in it, from 1
 * @param wrong the text that breaks the rule
 * @param right a sentence that says what to write instead
 */
record Finding(Rule rule, String path, int line, String wrong, String right) {
  Finding(Rule rule, String path, int line, String wrong) {
    this(rule, path, line, wrong, rule.advice());
  }

  @Override
  public String toString() {
    return path + ":" + line + ": " + rule.id() + ": " + wrong + "\n    " + right;
  }
}
