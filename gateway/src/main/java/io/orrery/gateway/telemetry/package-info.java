/**
 * The server's own numbers, for Prometheus. Entry type: {@link
 * io.orrery.gateway.telemetry.TelemetryApi}. What is measured is told where it happens; this room
 * only shows it.
 */
@NullMarked
package io.orrery.gateway.telemetry;

import org.jspecify.annotations.NullMarked;
