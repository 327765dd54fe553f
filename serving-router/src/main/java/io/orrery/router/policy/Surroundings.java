package io.orrery.router.policy;

import io.orrery.core.access.OriginPasses;
import io.orrery.core.time.Clock;
import io.orrery.router.route.ClientLimits;
import io.orrery.router.telemetry.AccessLog;
import io.orrery.router.telemetry.Meters;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The collaborators that the loops share.
 *
 * @param limits of what clients can make all of them hold
 * @param nanos time that only goes forward
 * @param accessLog null for none
 * @param passes of guarded services
 */
public record Surroundings(
    Tables tables,
    Meters meters,
    Rates rates,
    ClientLimits limits,
    Clock clock,
    LongSupplier nanos,
    @Nullable AccessLog accessLog,
    OriginPasses passes) {

  /** The same with the standard limits, and without the secret of passes. */
  public Surroundings(
      Tables tables,
      Meters meters,
      Rates rates,
      Clock clock,
      LongSupplier nanos,
      @Nullable AccessLog accessLog) {
    this(
        tables,
        meters,
        rates,
        ClientLimits.standard(),
        clock,
        nanos,
        accessLog,
        OriginPasses.unknown());
  }
}
