package io.orrery.router.policy;

import io.orrery.core.time.Clock;
import io.orrery.router.telemetry.AccessLog;
import io.orrery.router.telemetry.Meters;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the lanes share.
 *
 * @param nanos time that only goes forward
 * @param accessLog null for none
 */
public record Surroundings(
    Tables tables,
    Meters meters,
    Rates rates,
    Clock clock,
    LongSupplier nanos,
    @Nullable AccessLog accessLog) {}
