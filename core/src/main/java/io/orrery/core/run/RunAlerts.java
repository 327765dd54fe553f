package io.orrery.core.run;

import java.util.List;

/**
 * The alerts of a run: which of its statuses are told, and to whom.
 *
 * @param on the statuses, one at least
 * @param webhook the name of the secret of the project that has the address and the key
 */
public record RunAlerts(List<RunStatus> on, String webhook) {
  public RunAlerts {
    on = List.copyOf(on);
  }
}
