package io.orrery.gateway.status;

import io.orrery.core.check.CheckResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * A check of the server.
 *
 * @param name of the result when there is no other
 * @param fresh how long a result is kept
 * @param advice what to do when it fails or takes too long
 * @param look finds the results, and does not block
 */
record Check(
    String name, Duration fresh, String advice, Supplier<Future<List<CheckResult>>> look) {}
