package io.orrery.gateway.feature;

import io.orrery.core.access.OriginPasses;
import io.orrery.core.bus.Bus;
import io.orrery.core.time.Clock;
import io.orrery.gateway.auth.Access;
import io.orrery.gateway.auth.Ownerships;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.http.LogStreams;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.live.EventStreams;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The parts of one edge that features make their routes of.
 *
 * @param bodies reads what clients send
 * @param logs sends logs to clients
 * @param streams sends events to clients
 * @param access who may ask for anything
 * @param passes of guarded services
 * @param random makes secrets: a cryptographic source
 */
public record EdgeParts(
    Bus bus,
    Clock clock,
    EdgeOptions options,
    RequestBody bodies,
    LogStreams logs,
    EventStreams streams,
    Access access,
    OriginPasses passes,
    RandomGenerator random) {
  /** How long a client may read or send nothing. */
  public Duration patience() {
    return options.patience();
  }

  /** The projects and owners of objects. */
  public Ownerships ownerships() {
    return access.ownerships();
  }
}
