package io.orrery.gateway.http;

import io.orrery.core.time.Clock;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
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
 * costs no timer, and asks the answers whether they have ended: there is one handler for the end of
 * an answer, and it may be that of others.
 */
final class ConnectionWatch {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionWatch.class);
  private static final long COMPLAINT_MILLIS = 60_000;

  private final Clock clock;
  private final Duration idle;
  private final IdentityHashMap<HttpConnection, Use> open = new IdentityHashMap<>();
  private Clock.@Nullable Timer sweep;
  private long complained;

  /** The use of a connection: its answers that may not have ended, several with HTTP/2. */
  private static final class Use {
    private static final int FEW = 8;

    private final List<HttpServerResponse> answers = new ArrayList<>(1);
    private long since;
    private boolean wasAtWork;
    private int mostUnasked = FEW;

    Use(long since) {
      this.since = since;
    }

    void touch(long now) {
      since = now;
    }

    void begin(HttpServerResponse answer) {
      wasAtWork = true;
      if (answers.size() == 1 && hasEnded(answers.getFirst())) {
        answers.set(0, answer);
        return;
      }
      if (answers.size() >= mostUnasked) {
        forgetEnded();
        mostUnasked = Math.max(FEW, 2 * answers.size());
      }
      answers.add(answer);
    }

    /** The time since which nothing happens: now while a request is at work, and right after. */
    long idleSince(long now) {
      forgetEnded();
      boolean isAtWork = !answers.isEmpty();
      if (isAtWork || wasAtWork) {
        since = now;
      }
      wasAtWork = isAtWork;
      return since;
    }

    private void forgetEnded() {
      answers.removeIf(Use::hasEnded);
    }

    private static boolean hasEnded(HttpServerResponse answer) {
      return answer.ended() || answer.closed();
    }
  }

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
    open.put(connection, new Use(clock.millis()));
    ConnectionEnd.on(connection, () -> open.remove(connection));
  }

  /** Whether one more may be open; says in the log once a minute that none may. */
  boolean hasRoom(int most) {
    if (open.size() < most) {
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
    Use use = open.get(connection);
    if (use != null) {
      use.touch(clock.millis());
    }
  }

  /** A request has come; its connection is not idle before it is answered. */
  void busy(HttpServerRequest request) {
    Use use = open.get(request.connection());
    if (use != null) {
      use.begin(request.response());
    }
  }

  private void sweep() {
    long now = clock.millis();
    List<HttpConnection> forgotten = new ArrayList<>();
    open.forEach((connection, use) -> {
      if (use.idleSince(now) < now - idle.toMillis()) {
        forgotten.add(connection);
      }
    });
    forgotten.forEach(HttpConnection::close);
    start();
  }
}
