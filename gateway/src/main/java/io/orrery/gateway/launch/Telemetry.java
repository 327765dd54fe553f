package io.orrery.gateway.launch;

import io.orrery.gateway.log.LogFormat;
import io.orrery.gateway.telemetry.SpanExport;
import org.jspecify.annotations.Nullable;

/**
 * The settings of what the server tells its operators.
 *
 * @param log how lines of the log are written
 * @param traces where spans are sent; null for nowhere
 */
record Telemetry(LogFormat log, SpanExport.@Nullable Collector traces) {
  static final Telemetry STANDARD = new Telemetry(LogFormat.TEXT, null);
}
