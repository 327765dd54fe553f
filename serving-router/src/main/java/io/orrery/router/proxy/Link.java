package io.orrery.router.proxy;

import io.netty.channel.Channel;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection to an endpoint, and how much of it is in use. */
final class Link {
  private final Pool pool;
  private final HttpClientConnection connection;
  private final @Nullable Channel channel;
  private final List<Attempt> attempts = new ArrayList<>(1);
  private boolean lasts = true;
  int streams;
  boolean waitsInPool;
  boolean closed;
  boolean used;
  long idleSince;

  /**
   * @param channel where the connection carries one exchange at a time; null where it does not
   */
  Link(Pool pool, HttpClientConnection connection, @Nullable Channel channel) {
    this.channel = channel;
    this.pool = pool;
    this.connection = connection;
  }

  HttpClientConnection connection() {
    return connection;
  }

  /** The connection as bytes, where it carries one exchange at a time; else null. */
  @Nullable Channel channel() {
    return channel;
  }

  /** Whether it has carried a request before: then its end may just be its age. */
  boolean used() {
    return used;
  }

  /** An attempt uses it, and hears what comes before its answer. */
  void join(Attempt attempt) {
    attempts.add(attempt);
  }

  /** An attempt uses it no more. */
  void part(Attempt attempt) {
    attempts.remove(attempt);
  }

  /**
   * A head came before an answer.
   *
   * @param stream whose it is; 0 in HTTP/1.1, where there is one exchange at a time
   */
  void interim(int stream, int status, MultiMap fields) {
    for (Attempt attempt : List.copyOf(attempts)) {
      if (stream == 0 || attempt.isOf(stream)) {
        attempt.interim(status, fields);
      }
    }
  }

  /** An answer has begun on it: it may be the last. */
  void heard(HttpClientResponse answer) {
    if (HeaderRules.ends(answer)) {
      lasts = false;
    }
  }

  /** The exchange on it is over, and it may carry another, unless its endpoint ends it. */
  void release() {
    if (channel != null && !channel.config().isAutoRead()) {
      channel.config().setAutoRead(true);
    }
    if (lasts) {
      pool.release(this);
    } else {
      // Vert.x closes it as well, but only after this.
      pool.discard(this);
    }
  }

  /** The exchange on it broke off; HTTP/1.1 has no way to go on after that. */
  void discard() {
    pool.discard(this);
  }
}
