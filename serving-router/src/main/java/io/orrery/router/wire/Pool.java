package io.orrery.router.wire;

import io.orrery.router.policy.ClientTurns;
import io.orrery.router.policy.Reserve;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one endpoint of a service, one request on each at a time:
 * how many may be in use, and which requests wait for one.
 */
final class Pool {
  /** Waits for a connection. */
  interface Waiter extends ClientTurns.Waiter {
    /** Here it is; called once, unless one of the others is. */
    void connected(Upstream upstream);

    /** No connection could be made. */
    void unconnected();

    /** Whether its client has at most so many requests under way to this service. */
    boolean hasFew(int most);
  }

  private final Connections connections;
  private final ClientTurns<Waiter> waiting = new ClientTurns<>();
  private Duration patience = Duration.ZERO;
  private int most;
  private int busy;
  private int connecting;

  /** Those of them whose turn has come. */
  private int begun;

  private boolean draining;

  Pool(Connections connections) {
    this.connections = connections;
    connections.join();
  }

  /**
   * Finds or makes a connection.
   *
   * @param client the network by which clients are told apart; they are served in turn
   * @param most how many this pool may use at once
   * @param mostWaiting how many may wait for one
   */
  void acquire(Waiter waiter, String client, int most, int mostWaiting, Duration connectTimeout) {
    this.most = most;
    if (mayUse(waiter, busy + connecting)) {
      Upstream ready = connections.take(this);
      if (ready == null) {
        waiting.add(client, waiter);
        connect(client, connectTimeout);
      } else {
        busy++;
        waiter.connected(ready);
      }
    } else if (waiting.size() < mostWaiting + connecting) {
      waiting.add(client, waiter);
    } else if (mostWaiting > 0) {
      waiting.crowd(client, waiter);
    } else {
      waiter.crowdedOut();
    }
  }

  /** Whether one more may be in use for a request, besides so many. */
  private boolean mayUse(Waiter waiter, int used) {
    return Reserve.allows(most, used, waiter::hasFew);
  }

  private void connect(String client, Duration connectTimeout) {
    patience = connectTimeout;
    connecting++;
    connections.connect(this, client, connectTimeout);
  }

  /** Whether a connection that was asked for is needed now that its turn has come. */
  boolean begins() {
    if (waiting.hasMoreThan(begun)) {
      begun++;
      return true;
    }
    connecting--;
    return false;
  }

  /** Whether requests wait because all connections that there may be are in use. */
  boolean crowded() {
    return waiting.size() > connecting;
  }

  /** The connection that was asked for; null when none could be made. */
  void made(@Nullable Upstream upstream) {
    connecting--;
    begun--;
    if (upstream == null) {
      unconnected();
    } else {
      busy++;
      put(upstream);
    }
  }

  /**
   * All requests that wait were waiting for this: one refusal of the endpoint answers all of them.
   */
  private void unconnected() {
    if (busy == 0) {
      waiting.drain().stream().filter(Waiter::waits).forEach(Waiter::unconnected);
    } else {
      Waiter waiter = waiting.poll();
      if (waiter != null) {
        waiter.unconnected();
      }
    }
  }

  /** The next that waits, and may use one more than so many. */
  private @Nullable Waiter next(int used) {
    return waiting.poll(each -> mayUse(each, used));
  }

  /** The request on it is over. */
  void put(Upstream upstream) {
    busy--;
    Waiter waiter = next(busy);
    if (waiter != null) {
      busy++;
      waiter.connected(upstream);
      return;
    }
    connections.keep(upstream);
  }

  /** One that was in use is closed: a request that waits for it may have a new one. */
  void lost() {
    busy--;
    if (!draining && waiting.size() > connecting) {
      connect(connections.shared(), patience);
    }
  }

  /** Removes the requests that have given up; called every so often. */
  void sweep() {
    waiting.sweep();
  }

  /** Drains the pool, which gets no requests any more. */
  void drain() {
    draining = true;
    connections.part();
  }

  /** Whether another table has come that does not name its endpoint. */
  boolean draining() {
    return draining;
  }

  /** Whether a drained pool has nothing left. */
  boolean empty() {
    return busy == 0 && connecting == 0 && waiting.isEmpty();
  }
}
