package io.orrery.router.wire;

import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import org.jspecify.annotations.Nullable;

/**
 * The host that a connection asks for, again and again: how its client is introduced there, and
 * whose it is. The table by which it was looked up is remembered by its number only: many may pass
 * while a client says nothing.
 */
final class Host {
  private static final long NEVER = -1;

  private final ForwardedHeaders introduction;
  private long generation = NEVER;

  /**
   * Whose every request for it is; null when it was not looked up, or when that does not decide.
   */
  private @Nullable LocalService sole;

  Host(ForwardedHeaders introduction) {
    this.introduction = introduction;
  }

  ForwardedHeaders introduction() {
    return introduction;
  }

  /** Whether it is the one that a request names. */
  boolean isNamedBy(RequestHead head) {
    return introduction.isFor(head);
  }

  /**
   * Who a request is for, in the table in force.
   *
   * @return null for none
   */
  @Nullable LocalService owner(Wire wire, LiveTable table, RequestHead head) {
    String authority = introduction.authority();
    if (generation != table.generation()) {
      generation = table.generation();
      sole = local(wire, table.sole(authority));
    }
    return sole == null ? local(wire, table.find(authority, head)) : sole;
  }

  private static @Nullable LocalService local(Wire wire, @Nullable ServiceState service) {
    return service == null ? null : wire.local(service);
  }
}
