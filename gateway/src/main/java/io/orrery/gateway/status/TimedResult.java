package io.orrery.gateway.status;

import io.orrery.core.check.CheckResult;
import io.orrery.core.lease.Member;
import io.orrery.gateway.status.Latest.Told;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A result with the time at which it was found.
 *
 * @param at null while nothing was
 * @param server that found it of itself; null for this one
 */
record TimedResult(CheckResult result, @Nullable Instant at, @Nullable Member server) {
  /** The results that are made of a value of this server. */
  static <T> List<TimedResult> of(Told<T> told, Function<T, List<CheckResult>> checks) {
    return checks.apply(told.value()).stream()
        .map(result -> new TimedResult(result, told.at(), null))
        .toList();
  }
}
