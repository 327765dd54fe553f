/**
 * The metrics and the access log of the router: {@link io.orrery.router.telemetry.Meters} counts
 * and is read as Prometheus text, {@link io.orrery.router.telemetry.AccessLog} writes a sample of
 * the requests down. Both cost a request some nanoseconds and never wait.
 */
@NullMarked
package io.orrery.router.telemetry;

import org.jspecify.annotations.NullMarked;
