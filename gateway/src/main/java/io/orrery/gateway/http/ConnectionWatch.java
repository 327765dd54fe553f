package io.orrery.gateway.http;

import io.orrery.core.time.Clock;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections on which nothing happens: opened and never used, a request head sent by
 * halves, kept alive and forgotten.
 *
 * <p>Vert.x has an idle timeout of its own, but it counts bytes: it would also end a followed log
 * that is silent for a minute. Here a connection with a request at work is never idle; the handler
 * of the request limits its own waiting. One sweep looks at all connections, so that a request
 * costs no timer.
 */
final class ConnectionWatch {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionWatch.class);
  private static final long AT_WORK = Long.MAX_VALUE;
  private static final long COMPLAINT_MILLIS = 60_000;

  private final Clock clock;
  private final Duration idle;
  private final IdentityHashMap<HttpConnection, Long> idleSince = new IdentityHashMap<>();
  private Clock.@Nullable Timer sweep;
  private long complained;

  ConnectionWatch(Clock clock, Duration idle) {
    this.clock = clock;
    this.idle = idle;
  }

  void start() {
    sweep = clock.after(idle.dividedBy(4), this::sweep);
  }

  void stop() {
    if (sweep != null) {
      sweep.cancel();
    }
  }

  void opened(HttpConnection connection) {
    idleSince.put(connection, clock.millis());
    ConnectionEnd.on(connection, () -> idleSince.remove(connection));
  }

  /** Whether one more may be open; says in the log once a minute that none may. */
  boolean hasRoom(int most) {
    if (idleSince.size() < most) {
      return true;
    }
    long now = clock.millis();
    if (now - complained > COMPLAINT_MILLIS) {
      complained = now;
      LOG.warn("could not take a connection: {} are open, which is the limit of the API", most);
    }
    return false;
  }

  /** Something came by it that is no request to the edge. */
  void used(HttpConnection connection) {
    idleSince.replace(connection, clock.millis());
  }

  void busy(HttpServerRequest request) {
    HttpConnection connection = request.connection();
    idleSince.replace(connection, AT_WORK);
    request.response().endHandler(ended -> idleSince.replace(connection, clock.millis()));
  }

  private void sweep() {
    long limit = clock.millis() - idle.toMillis();
    List<HttpConnection> forgotten = new ArrayList<>();
    idleSince.forEach((connection, since) -> {
      if (since < limit) {
        forgotten.add(connection);
      }
    });
    forgotten.forEach(HttpConnection::close);
    start();
  }
}
