package io.orrery.core.run;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The alerts of a pipeline: what of its runs and due runs is told, and to whom.
 *
 * @param on the statuses of a run
 * @param webhook the name of the secret of the project that has the address and the key; null when
 *     no request is sent
 * @param mail the addresses that get a mail
 * @param due what is told of due runs
 * @param late how long after its time a due run that waits is told of
 */
public record RunAlerts(
    List<RunStatus> on,
    @Nullable String webhook,
    List<String> mail,
    List<DueAlert> due,
    Duration late) {
  /** How late a due run is told of unless the document says it. */
  public static final Duration USUALLY_LATE = Duration.ofMinutes(15);

  /** Runs that were stored by an earlier version have no word of mail and due runs. */
  @SuppressWarnings("ConstantValue")
  public RunAlerts {
    on = List.copyOf(on);
    mail = mail == null ? List.of() : List.copyOf(mail);
    due = due == null ? List.of() : List.copyOf(due);
    late = late == null ? USUALLY_LATE : late;
  }
}
