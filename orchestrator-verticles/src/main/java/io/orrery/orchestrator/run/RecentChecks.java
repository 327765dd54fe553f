package io.orrery.orchestrator.run;

import io.orrery.core.experiment.JobSpec;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.Parameters;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cache of checks of training services, for processor time alone: the steps of a wide run, which
 * share a section, have it read once a second. A failure is not kept. Used on one context.
 */
final class RecentChecks {
  /** It bounds how late a change of the disk is seen, such as a key file that is gone. */
  private static final Duration LIFE = Duration.ofSeconds(1);

  private final Clock clock;
  private final Function<Asked, Future<Checked>> check;
  private final Map<Asked, Recent> recent = new HashMap<>();

  /**
   * A training service as a task asks for it.
   *
   * @param gpus null when the task does not say
   * @param withSecrets whether variables of the step are secrets
   */
  record Asked(
      String platform,
      Parameters settings,
      @Nullable Integer gpus,
      String user,
      boolean withSecrets) {}

  /**
   * A training service that is right.
   *
   * @param job in which secrets are references still
   * @param references to secrets of the project
   */
  record Checked(JobSpec job, Set<String> references) {
    Checked {
      references = Set.copyOf(references);
    }
  }

  private record Recent(Future<Checked> checked, Instant until) {}

  RecentChecks(Clock clock, Function<Asked, Future<Checked>> check) {
    this.clock = clock;
    this.check = check;
  }

  /** The outcome of a check that is under way or was made lately, else of a new one. */
  Future<Checked> of(Asked asked) {
    Instant now = clock.now();
    Recent known = recent.get(asked);
    if (known != null && known.until().isAfter(now)) {
      return known.checked();
    }
    recent.values().removeIf(each -> !each.until().isAfter(now));
    Recent made = new Recent(check.apply(asked), now.plus(LIFE));
    recent.put(asked, made);
    return made.checked().onFailure(failure -> recent.remove(asked, made));
  }
}
