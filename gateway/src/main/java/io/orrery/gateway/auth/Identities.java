package io.orrery.gateway.auth;

import io.orrery.core.access.Caller;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People;
import io.orrery.core.cache.LeastRecentlyUsed;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.ConnectionEnd;
import io.vertx.core.Future;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache of the callers behind sessions and personal tokens, by the digest of the secret. The
 * number of the last change of any account is asked every {@value #POLL_MILLIS} ms, and told by a
 * topic as well; when it has moved, the cache is emptied and each open stream is checked again, and
 * so it is when the first of their sessions and tokens has reached its end. When the number has not
 * been heard for a second, nothing of the cache is used: a user who has been disabled is out within
 * a second on every server.
 */
final class Identities {
  private static final Logger LOG = LoggerFactory.getLogger(Identities.class);
  private static final int POLL_MILLIS = 400;
  private static final long FRESH_MILLIS = 1_000;
  private static final long RETRY_MILLIS = 5_000;
  private static final int MOST = 10_000;

  private final Bus bus;
  private final Clock clock;
  private final ServiceTokens services;
  private final boolean people;
  private final Map<String, Known> byDigest = new LeastRecentlyUsed<>(MOST);

  /** The open streams, by their connection: one of HTTP/2 may carry those of several callers. */
  private final IdentityHashMap<HttpConnection, Set<Watched>> streams = new IdentityHashMap<>();

  /** The earliest end of a secret that a stream was opened by. */
  private long earliestEndMillis = Long.MAX_VALUE;

  private long revision;
  private long heardMillis;

  /** At first the studio is not there yet, which is no reason to warn. */
  private boolean failing = true;

  private boolean closed;

  private record Known(@Nullable Caller caller, @Nullable Instant until) {}

  /** A stream, with the secret and the caller that it was opened by; equal to itself alone. */
  private static final class Watched {
    final String digest;
    final Caller caller;

    Watched(String digest, Caller caller) {
      this.digest = digest;
      this.caller = caller;
    }
  }

  /**
   * @param services by which sessions of service accounts are begun
   * @param people whether sessions and tokens of user accounts count as well
   */
  Identities(Bus bus, Clock clock, ServiceTokens services, boolean people) {
    this.bus = bus;
    this.clock = clock;
    this.services = services;
    this.people = people;
  }

  /** Begins to follow the changes of accounts; called once, on the event loop that asks. */
  void start() {
    bus.listen(People.CHANGED, now -> moved(now.number()));
    poll();
  }

  /** Asks no more. */
  void close() {
    closed = true;
  }

  private void poll() {
    bus.request(People.REVISION, new People.AskRevision())
        .onSuccess(now -> {
          heardMillis = clock.millis();
          failing = false;
          moved(now.number());
        })
        .onFailure(failure -> {
          if (!failing) {
            failing = true;
            LOG.warn("could not ask for changes of accounts: {}", failure.getMessage());
          }
        })
        .onComplete(asked -> {
          if (!closed) {
            if (clock.millis() >= earliestEndMillis) {
              checkStreams();
            }
            clock.after(Duration.ofMillis(POLL_MILLIS), this::poll);
          }
        });
  }

  private void moved(long number) {
    if (number > revision) {
      revision = number;
      byDigest.clear();
      checkStreams();
    }
  }

  private void checkStreams() {
    earliestEndMillis = Long.MAX_VALUE;
    Map.copyOf(streams)
        .forEach(
            (connection, all) -> List.copyOf(all).forEach(watched -> check(connection, watched)));
  }

  /** Closes the connection of a stream whose caller is not the same any more. */
  private void check(HttpConnection connection, Watched watched) {
    known(watched.digest)
        .onComplete((known, failure) -> {
          if (!streams.getOrDefault(connection, Set.of()).contains(watched)) {
            return;
          }
          if (failure != null) {
            // Whether it may stay open is not known.
            earliestEndMillis = Math.min(earliestEndMillis, clock.millis() + RETRY_MILLIS);
          } else if (!watched.caller.equals(inForce(known, clock.millis()))) {
            streams.remove(connection);
            connection.close();
          } else {
            noteEnd(known);
          }
        });
  }

  private void noteEnd(Known known) {
    Instant until = known.until();
    if (until != null) {
      earliestEndMillis = Math.min(earliestEndMillis, until.toEpochMilli());
    }
  }

  /**
   * Closes the connection of a stream or WebSocket as soon as the caller loses or changes
   * permissions, or the session or token ends; until the stream itself has ended.
   */
  void watch(HttpServerRequest request, String digest, Caller caller) {
    HttpServerResponse response = request.response();
    if (response.ended() || response.closed()) {
      return;
    }
    HttpConnection connection = request.connection();
    Watched watched = new Watched(digest, caller);
    streams.computeIfAbsent(connection, this::firstOf).add(watched);
    // The handlers for the end and the close of a response are those of others. A stream of HTTP/2
    // that is reset has this failure alone, and a WebSocket ends with its connection.
    response.bodyEndHandler(written -> ended(connection, watched));
    response.exceptionHandler(broken -> ended(connection, watched));
    check(connection, watched);
  }

  private Set<Watched> firstOf(HttpConnection connection) {
    ConnectionEnd.on(connection, () -> streams.remove(connection));
    return new HashSet<>();
  }

  private void ended(HttpConnection connection, Watched watched) {
    Set<Watched> left = streams.get(connection);
    if (left != null) {
      left.remove(watched);
    }
  }

  /** How many streams are watched. */
  int watched() {
    return streams.values().stream().mapToInt(Set::size).sum();
  }

  /** Removes a secret that has just ended here from the cache, before the change is announced. */
  void forget(String digest) {
    byDigest.remove(digest);
  }

  /** The active caller of a secret; null when there is none. */
  Future<@Nullable Caller> find(String digest) {
    return known(digest).map(known -> inForce(known, clock.millis()));
  }

  private Future<Known> known(String digest) {
    Known known = byDigest.get(digest);
    if (known != null && clock.millis() - heardMillis < FRESH_MILLIS) {
      return Future.succeededFuture(known);
    }
    return bus.request(People.IDENTIFY, new People.Identify(digest))
        .map(identity -> {
          moved(identity.revision());
          Known found = new Known(caller(identity), identity.until());
          if (identity.revision() == revision && found.caller() != null) {
            byDigest.put(digest, found);
          }
          return found;
        });
  }

  private @Nullable Caller caller(People.Identity identity) {
    String service = identity.service();
    if (service != null) {
      return services.ofDigest(service);
    }
    return people ? identity.caller() : null;
  }

  private static @Nullable Caller inForce(Known known, long now) {
    Instant until = known.until();
    return until != null && until.toEpochMilli() <= now ? null : known.caller();
  }
}
