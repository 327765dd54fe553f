package io.orrery.router.proxy;

import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientResponse;

/** A connection to an endpoint, and how much of it is in use. */
final class Link {
  private final Pool pool;
  private final HttpClientConnection connection;
  private boolean lasts = true;
  int streams;
  boolean waitsInPool;
  boolean closed;
  boolean used;
  long idleSince;

  Link(Pool pool, HttpClientConnection connection) {
    this.pool = pool;
    this.connection = connection;
  }

  HttpClientConnection connection() {
    return connection;
  }

  /** Whether it has carried a request before: then its end may just be its age. */
  boolean used() {
    return used;
  }

  /** An answer has begun on it: it may be the last. */
  void heard(HttpClientResponse answer) {
    if (HeaderRules.ends(answer)) {
      lasts = false;
    }
  }

  /** The exchange on it is over, and it may carry another, unless its endpoint ends it. */
  void release() {
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
