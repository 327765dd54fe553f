package io.orrery.core.problem;

import org.jspecify.annotations.Nullable;

/** A check of the revision of an object that a change is meant for. */
public final class RevisionCheck {
  /** The revision of an object that does not exist; those of others begin with 1. */
  public static final long NONE = 0;

  private RevisionCheck() {}

  /**
   * Refuses a change that is meant for another revision than the present one.
   *
   * @param what the object in words, at the beginning of a sentence: {@code Secret hub}
   * @param expected null for any; {@link #NONE} for an object that is to be new
   * @param present {@link #NONE} when the object does not exist
   * @throws ProblemException Conflict
   */
  public static void require(String what, @Nullable Long expected, long present) {
    if (expected == null || expected == present) {
      return;
    }
    String detail =
        present == NONE
            ? "%s does not exist any more.".formatted(what)
            : expected == NONE
                ? "%s is there already: it has the revision %d.".formatted(what, present)
                : "%s has been changed: it has the revision %d now.".formatted(what, present);
    throw new Problem.Conflict(detail).toException();
  }
}
