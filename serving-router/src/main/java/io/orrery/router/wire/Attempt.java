package io.orrery.router.wire;

import io.orrery.router.health.EndpointState;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.Loop;
import io.orrery.router.route.Limits;
import io.orrery.router.route.Retries;
import org.jspecify.annotations.Nullable;

/**
 * An attempt at one endpoint: it waits for a connection, has one, and gives it back or breaks it.
 */
final class Attempt implements Pool.Waiter {
  /** Hears one of these, unless it has dropped the attempt before. */
  interface Listener {
    void connected(Upstream to);

    /** No connection to the endpoint could be made. */
    void unconnected();

    /** As many as may wait for a connection do. */
    void crowdedOut();

    /** The network of the client, by which clients are told apart. */
    String network();
  }

  private final Wire wire;
  private final LocalService target;
  private final EndpointState endpoint;
  private final int cost;
  private final Listener listener;
  private boolean waits = true;
  private boolean left;
  private boolean faulty;
  private @Nullable Upstream upstream;
  private @Nullable Pool pool;

  /**
   * @param cost what the request adds to the load of the endpoint besides itself
   */
  Attempt(Wire wire, LocalService target, EndpointState endpoint, int cost, Listener listener) {
    this.wire = wire;
    this.target = target;
    this.endpoint = endpoint;
    this.cost = cost;
    this.listener = listener;
  }

  void begin() {
    Loop loop = wire.loop();
    endpoint.begin(loop.number(), cost);
    ServiceState state = target.state();
    Limits limits = state.limits();
    Pool from = target.pool(endpoint);
    pool = from;
    from.acquire(
        this,
        listener.network(),
        loop.share(limits.connections()),
        loop.share(limits.pending()),
        state.connectTimeout());
  }

  EndpointState endpoint() {
    return endpoint;
  }

  /** Whether an attempt has a connection that others wait for. */
  static boolean isWanted(@Nullable Attempt on) {
    Pool from = on == null || on.upstream == null ? null : on.pool;
    return from != null && from.crowded();
  }

  /** The connection, for as long as there is one. */
  @Nullable Upstream upstream() {
    return upstream;
  }

  @Override
  public boolean waits() {
    return waits;
  }

  @Override
  public boolean hasFew(int most) {
    return wire.loop().hasFew(listener.network(), target.state(), most);
  }

  @Override
  public void connected(Upstream to) {
    waits = false;
    upstream = to;
    target.state().reached();
    listener.connected(to);
  }

  @Override
  public void unconnected() {
    waits = false;
    judge(false);
    listener.unconnected();
  }

  @Override
  public void crowdedOut() {
    waits = false;
    leave();
    listener.crowdedOut();
  }

  /**
   * Whether another attempt may follow, because that is safe and allowed; takes it out of the
   * budget.
   *
   * @param attempts how many there have been
   * @param idempotent whether the request may be sent twice
   */
  boolean mayRepeat(Retries.Cause cause, int attempts, boolean idempotent) {
    Retries retries = target.state().service().retries();
    if (attempts > retries.attempts()
        || !retries.on().contains(cause)
        || !(cause == Retries.Cause.CONNECT_FAILURE || idempotent)) {
      return false;
    }
    Loop loop = wire.loop();
    if (!target.budget().withdraw(loop.nanos())) {
      loop.meters().retryWithheld();
      return false;
    }
    loop.meters().retried(target.id());
    return true;
  }

  /** The endpoint did well, or did not; of one attempt, one fault counts. */
  void judge(boolean good) {
    if (!faulty) {
      faulty = !good;
      target.state().answered(endpoint, good, wire.now());
    }
  }

  /** All has been said: the connection may carry another request. */
  void release() {
    waits = false;
    Upstream free = upstream;
    upstream = null;
    if (free != null) {
      free.release();
    }
  }

  /** Nothing more is wanted of it. */
  void drop() {
    waits = false;
    Upstream broken = upstream;
    upstream = null;
    if (broken != null) {
      broken.discard();
    }
  }

  /** The endpoint has this one less to do. */
  void leave() {
    if (!left) {
      left = true;
      endpoint.end(wire.loop().number(), cost);
    }
  }
}
