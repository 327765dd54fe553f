package io.orrery.cli.print;

import org.jspecify.annotations.Nullable;

/** Asks a person for a secret, which is not shown while it is typed. */
@FunctionalInterface
public interface Prompt {
  /** Where nobody can be asked. */
  Prompt NOBODY = question -> null;

  /**
   * @param question what to show, with the space after it
   * @return a line, perhaps an empty one; null when nobody can be asked, or nobody answers
   */
  @Nullable String ask(String question);
}
