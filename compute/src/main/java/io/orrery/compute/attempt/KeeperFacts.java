package io.orrery.compute.attempt;

import io.orrery.compute.service.Keepers;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The facts of an attempt that do not depend on where its job runs.
 *
 * @param start when its first keeper came; null while none has
 * @param end how its command ended; null while no keeper has told
 * @param endSeen when that was heard
 * @param canceled whether its end was asked for
 */
public record KeeperFacts(
    @Nullable Instant start,
    Keepers.State.@Nullable Ended end,
    @Nullable Instant endSeen,
    boolean canceled) {
  /** Whether it has been so for longer than is waited; false when it is not so. */
  public static boolean past(@Nullable Instant since, Duration patience, Instant now) {
    return since != null && now.isAfter(since.plus(patience));
  }
}
