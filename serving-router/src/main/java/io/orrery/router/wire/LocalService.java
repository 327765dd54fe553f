package io.orrery.router.wire;

import io.orrery.router.health.EndpointState;
import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.Admission;
import io.orrery.router.policy.Admission.TurnedAway;
import io.orrery.router.policy.AttemptBudget;
import io.orrery.router.policy.Loop;
import io.orrery.router.policy.MemoryBudget;
import io.orrery.router.policy.PassGuard;
import io.orrery.router.policy.RouterProblem;
import io.orrery.router.route.OriginAccess;
import io.orrery.router.route.Service;
import io.orrery.router.telemetry.Meters.Refusal;
import io.orrery.router.telemetry.Meters.Served;
import org.jspecify.annotations.Nullable;

/**
 * A cache of one event loop of what it needs of a service, filled at the first request: it would
 * otherwise be looked up for each request in maps of all services.
 */
final class LocalService {
  private final Wire wire;
  private final ServiceState state;
  private final AttemptBudget budget;
  private @Nullable Served own;
  private @Nullable Pool only;

  LocalService(Wire wire, ServiceState state) {
    this.wire = wire;
    this.state = state;
    this.budget = wire.loop().budget(state);
  }

  ServiceState state() {
    return state;
  }

  String id() {
    return state.id();
  }

  /** What it may spend on retries. */
  AttemptBudget budget() {
    return budget;
  }

  /** Whether its requests may be forwarded here: the other way is for the rest. */
  boolean forwards(RequestHead head) {
    return state.isPlain() && !(state.mirrored() && !Upload.isWhole(head.length()));
  }

  /**
   * Lets a request for it in, or does not.
   *
   * @param authority the host that was asked for, as the client wrote it
   * @param connection at which it came
   * @return null when the other way is to answer it
   */
  @Nullable Admission admit(
      LiveTable table, String authority, RequestHead head, MemoryBudget.Connection connection) {
    Loop loop = wire.loop();
    OriginAccess access = state.access();
    if (access != null) {
      switch (loop.guard().judge(head, access, authority)) {
        case PassGuard.Verdict.Granted granted -> {}
        case PassGuard.Verdict.Exchanged exchanged -> {
          return null;
        }
        case PassGuard.Verdict.Refused(RouterProblem denial) -> {
          return head.takesPages() ? null : new TurnedAway(Refusal.NO_PASS, denial);
        }
      }
    }
    return loop.admit(table, state, head, connection);
  }

  /**
   * Makes the relay of a request for a target that has been entered, which is left again where
   * there is no memory for it.
   *
   * @param table in which the target was found
   * @param head good only during the call
   */
  Relay relay(
      Requester client,
      ForwardedHeaders introduction,
      LiveTable table,
      ServiceState target,
      RequestHead head) {
    Relay made = null;
    try {
      made = new Relay(wire, client, introduction, table, this, version(target), head);
      return made;
    } finally {
      if (made == null) {
        target.leave(wire.loop().number());
      }
    }
  }

  /** Who answers for it: itself, or one that it gives requests to. */
  LocalService version(ServiceState answering) {
    return answering.equals(state) ? this : wire.local(answering);
  }

  /**
   * This service as the table in force has it, so that no request goes to an endpoint that left
   * while it came in; as it is here, when it has left the table.
   *
   * @param began the table when the request came in
   */
  LocalService present(LiveTable began) {
    LiveTable now = wire.loop().table();
    ServiceState present = now.equals(began) ? null : now.state(id());
    return present == null || present.service().protocol() == Service.Protocol.H2C
        ? this
        : wire.local(present);
  }

  /** The numbers of one version that has answered for it; no other is to be seen among them. */
  Served served(LocalService version) {
    if (!version.equals(this)) {
      return wire.loop().meters().served(id(), version.id());
    }
    Served known = own;
    if (known == null) {
      known = wire.loop().meters().served(id(), id());
      own = known;
    }
    return known;
  }

  /** The connections to one of its endpoints. */
  Pool pool(EndpointState endpoint) {
    if (state.endpoints().size() > 1) {
      return wire.pool(endpoint);
    }
    Pool pool = only;
    if (pool == null || pool.draining()) {
      pool = wire.pool(endpoint);
      only = pool;
    }
    return pool;
  }
}
