package io.orrery.router.route;

import org.jspecify.annotations.Nullable;

/** The facts of a request that a routing decision may ask for. */
public interface RequestFacts {
  /** The path without its query. */
  String path();

  /** The value of a header, of several lines with commas between; the name is lower case. */
  @Nullable String header(String name);

  /** The value of a cookie. */
  @Nullable String cookie(String name);

  /** Returns the peer of the connection. */
  ClientAddress client();
}
