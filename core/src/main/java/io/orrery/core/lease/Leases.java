package io.orrery.core.lease;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The leases of a store, as one server sees them. Thread safe. */
public interface Leases {
  /** Those of a server that has its store alone: all are its own, and no database is asked. */
  Leases ALONE = new Sole();

  /** Whether other servers may hold any. */
  boolean shared();

  /** The machine of this server, by the name that other servers know it by. */
  String host();

  /**
   * Takes a lease that is free.
   *
   * @param name of the thing: {@code experiment/abc}
   * @return completes with the lease; empty when another member holds it
   */
  Future<Optional<Lease>> take(String name);

  /** Returns the holder of a lease; empty when there is none, or none that lives. */
  Future<Optional<Holder>> holder(String name);

  /** The leases that are held by members that live, by name. */
  Future<List<Holder>> held();

  /** The members that live, by the database's clock; this server alone when it shares nothing. */
  Future<List<Member>> members();

  /**
   * Tells a listener the id of each membership of this server, the present one at once; on any
   * thread. A server that shares nothing has none.
   */
  void onMembership(Consumer<String> listener);

  /** A lease with its holder. */
  record Holder(String name, long epoch, Member member) {}
}
