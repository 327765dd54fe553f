package io.orrery.core.space;

import io.orrery.core.problem.Finding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits on what a search space may have, counted while it is read. They are far above what any
 * search can use: every suggestion, trial and page has all parameters of its experiment.
 */
final class SpaceLimits {
  /** Parameters in all, those of nested choices counted. */
  static final int MOST_PARAMETERS = 10_000;

  /** Options of one choice, which may be a list of whole parameter sets. */
  static final int MOST_OPTIONS = 100_000;

  /** Options of all choices together. */
  static final int MOST_OPTIONS_IN_ALL = 500_000;

  /** Choices within options of choices. */
  static final int MOST_DEPTH = 16;

  /** Characters of a parameter's name. */
  static final int MOST_NAME = 1_000;

  private int parameters;
  private int options;
  private @Nullable Finding passed;

  /** The limit that was passed first; none while all are kept. */
  List<Finding> passed() {
    return passed == null ? List.of() : List.of(passed);
  }

  boolean kept() {
    return passed == null;
  }

  /** Counts the parameters of an object; false when one of the limits is passed. */
  boolean object(String pointer, int size, int depth) {
    parameters += size;
    if (depth > MOST_DEPTH) {
      pass(
          pointer,
          "choices are nested more than %d levels deep here, and no more are allowed"
              .formatted(MOST_DEPTH));
    } else if (parameters > MOST_PARAMETERS) {
      pass(
          pointer,
          ("a search space has at most %,d parameters, those of nested choices counted; with these"
                  + " it has more")
              .formatted(MOST_PARAMETERS));
    }
    return kept();
  }

  /** Counts the options of a choice; false when one of the limits is passed. */
  boolean choice(String pointer, int size) {
    options += size;
    if (size > MOST_OPTIONS) {
      pass(
          pointer,
          "a choice has at most %,d options, and this has %,d".formatted(MOST_OPTIONS, size));
    } else if (options > MOST_OPTIONS_IN_ALL) {
      pass(
          pointer,
          ("the choices of a search space have at most %,d options together, and with these they"
                  + " have more")
              .formatted(MOST_OPTIONS_IN_ALL));
    }
    return kept();
  }

  /** Looks at a name; false when it is too long. */
  boolean name(String pointer, String name) {
    if (name.length() > MOST_NAME) {
      pass(
          pointer,
          "the name of a parameter here has more than the %,d characters that are allowed"
              .formatted(MOST_NAME));
    }
    return kept();
  }

  private void pass(String pointer, String sentence) {
    if (passed == null) {
      passed = new Finding(pointer, sentence);
    }
  }
}
