package io.orrery.cli.print;

import org.jspecify.annotations.Nullable;

/** Asks a person for a secret, which is not shown while it is typed. */
@FunctionalInterface
public interface Prompt {
  /** A prompt where no user can be asked. */
  Prompt NONE = question -> null;

  /**
   * @param question what to show, with the space after it
   * @return a line, perhaps an empty one; null when no user can be asked, or there is no answer
   */
  @Nullable String ask(String question);
}
