package io.orrery.compute.remote;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The remains of an attempt on a machine when they are cleared away: all that is known of the end
 * of one whose keeper has not told it. Apart from {@link RemoteRun}, which only fetches it.
 *
 * @param state the exit code of its keeper, as it was written there; empty when it was not
 * @param log its keeper's last line; empty when there is none
 */
record Remains(String state, String log) {
  static final Remains NONE = new Remains("", "");

  private static final int KEEPERS_OWN = 128;

  static Remains of(String said) {
    Map<String, String> lines = MachineFacts.lines(said);
    return new Remains(lines.getOrDefault("state", ""), lines.getOrDefault("log", ""));
  }

  /** That of its command; null when it is not known. */
  @Nullable Integer exitCode() {
    // Above it is how the keeper itself was killed, which says nothing of the command.
    return state.matches("\\d{1,3}") && Integer.parseInt(state) <= KEEPERS_OWN
        ? Integer.valueOf(state)
        : null;
  }

  /** A reason for its end with what its keeper said last. */
  String explain(String reason) {
    return log.isEmpty() ? reason : reason + ": " + log;
  }
}
