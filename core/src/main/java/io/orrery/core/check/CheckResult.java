package io.orrery.core.check;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/**
 * The outcome of one check.
 *
 * @param check the name of what was looked at
 * @param found what is there
 * @param advice what to do; empty when nothing need be done
 */
public record CheckResult(String check, State state, String found, String advice) {
  /** A state of what was checked; the constants go from the best to the worst. */
  public enum State {
    OK,
    /** Nothing could be found out. */
    UNKNOWN,
    /** It works, and will not for long or not well. */
    WARNING,
    FAILED;

    /** As the API has it: in lower case. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The state of a word of the API; {@link #UNKNOWN} for one that only a later server has. */
    public static State of(String word) {
      return Arrays.stream(values())
          .filter(state -> state.word().equals(word))
          .findFirst()
          .orElse(UNKNOWN);
    }

    /** The worst of some; {@link #OK} of none. */
    public static State worst(Collection<State> states) {
      return states.stream().max(Comparator.naturalOrder()).orElse(OK);
    }
  }

  public static CheckResult ok(String check, String found) {
    return new CheckResult(check, State.OK, found, "");
  }

  public static CheckResult unknown(String check, String found, String advice) {
    return new CheckResult(check, State.UNKNOWN, found, advice);
  }

  public static CheckResult warning(String check, String found, String advice) {
    return new CheckResult(check, State.WARNING, found, advice);
  }

  public static CheckResult failed(String check, String found, String advice) {
    return new CheckResult(check, State.FAILED, found, advice);
  }
}
