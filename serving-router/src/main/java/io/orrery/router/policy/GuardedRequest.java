package io.orrery.router.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The facts of a request that {@link PassGuard} judges it by, whichever way it takes. */
public interface GuardedRequest {
  /** Returns the method, as the client wrote it. */
  String method();

  /** The path and the query. */
  String uri();

  /** The values of all Cookie headers, in their order. */
  List<String> cookies();

  /** The value of the first Origin header; null when there is none. */
  @Nullable String origin();

  /** Whether it asks for another protocol on its connection. */
  boolean upgrades();

  /** Returns {@code http} or {@code https}, by which it came. */
  String scheme();
}
