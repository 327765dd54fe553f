package io.orrery.router.proxy;

import io.vertx.core.http.HttpClientConnection;

/** A connection to an endpoint, and how much of it is in use. */
final class Link {
  private final Pool pool;
  private final HttpClientConnection connection;
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

  /** The exchange on it is over, and it may carry another. */
  void release() {
    pool.release(this);
  }

  /** The exchange on it broke off; HTTP/1.1 has no way to go on after that. */
  void discard() {
    pool.discard(this);
  }
}
