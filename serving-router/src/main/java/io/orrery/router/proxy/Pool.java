package io.orrery.router.proxy;

import io.netty.channel.Channel;
import io.netty.util.concurrent.EventExecutor;
import io.orrery.router.health.EndpointConnect;
import io.orrery.router.health.EndpointState;
import io.orrery.router.policy.ClientTurns;
import io.orrery.router.policy.Connecting;
import io.orrery.router.policy.Reserve;
import io.orrery.router.policy.WorkTurns;
import io.orrery.router.route.Service;
import io.orrery.router.wire.Mount;
import io.vertx.core.AsyncResult;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConnection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one endpoint. The one used last is used next, so that the
 * others may age and go. Ours rather than the client's: a pool that knows of waiting, limits and
 * draining says at once why there is no connection, and costs a request less (docs/decisions/0022).
 */
final class Pool {
  /** Sooner than the shortest that common servers keep an idle connection (5 s). */
  private static final Duration MOST_IDLE = Duration.ofSeconds(4);

  static final int MOST_STREAMS = 100;

  /** Waits for a connection. */
  interface Waiter extends ClientTurns.Waiter {
    /** Here it is; called once, unless one of the others is. */
    void connected(Link link);

    /** No connection could be made. */
    void unconnected(Throwable cause);

    /** Whether its client has at most so many requests under way to this service. */
    boolean hasFew(int most);
  }

  private final HttpClientAgent client;
  private final Mount mount;
  private final WorkTurns turns;
  private final EventExecutor loop;

  /** The turn of connections that are for no client alone. */
  private final String shared;

  private final boolean multiplexed;
  private final EndpointState endpoint;
  private final ArrayDeque<Link> available = new ArrayDeque<>();
  private final ClientTurns<Waiter> waiting = new ClientTurns<>();
  private final Set<Link> open = new HashSet<>();
  private int most;
  private int connecting;

  /** Those of them whose turn has come. */
  private int begun;

  private boolean draining;
  private Duration lastPatience = Duration.ZERO;
  private long lastAsked;

  /**
   * @param turns of the event loop, by which connections are made
   */
  Pool(
      HttpClientAgent client,
      EndpointState endpoint,
      Mount mount,
      WorkTurns turns,
      EventExecutor loop) {
    this.mount = mount;
    this.turns = turns;
    this.loop = loop;
    this.shared = endpoint.address().toString();
    this.client = client;
    this.multiplexed = endpoint.protocol() == Service.Protocol.H2C;
    this.endpoint = endpoint;
  }

  /**
   * Finds or makes a connection.
   *
   * @param client the network by which clients are told apart; they are served in turn
   * @param most how many this pool may have
   * @param mostWaiting how many may wait for one
   */
  void acquire(
      Waiter waiter, String client, int most, int mostWaiting, Duration patience, long now) {
    this.most = most;
    boolean may = mayUse(waiter, inUse() + connecting);
    Link link = may ? next() : null;
    if (link != null) {
      take(link);
      waiter.connected(link);
    } else if (may && open.size() + connecting < most && !(multiplexed && connecting > 0)) {
      waiting.add(client, waiter);
      connect(multiplexed ? shared : client, patience, now);
    } else if (waiting.size() < mostWaiting + connecting) {
      waiting.add(client, waiter);
    } else if (mostWaiting > 0) {
      waiting.crowd(client, waiter);
    } else {
      waiter.crowdedOut();
    }
  }

  private int inUse() {
    return open.size() - available.size();
  }

  /** Whether one more may be in use for a request, besides so many. One of HTTP/2 serves many. */
  private boolean mayUse(Waiter waiter, int used) {
    return multiplexed || Reserve.allows(most, used, waiter::hasFew);
  }

  /** Whether requests wait because all connections that there may be are in use. */
  boolean crowded() {
    return waiting.size() > connecting;
  }

  private @Nullable Link next() {
    while (true) {
      Link link = available.peekLast();
      if (link == null || !link.closed) {
        return link;
      }
      available.pollLast();
    }
  }

  private void take(Link link) {
    link.streams++;
    if (link.streams >= room(link)) {
      available.remove(link);
      link.waitsInPool = false;
    }
  }

  private int room(Link link) {
    return multiplexed ? Math.clamp(link.connection().maxActiveStreams(), 1, MOST_STREAMS) : 1;
  }

  /** Makes one more, when it is the turn of a client; the timeout counts from then on. */
  private void connect(String network, Duration patience, long now) {
    connecting++;
    lastPatience = patience;
    lastAsked = now;
    turns.run(new Connecting(network, () -> begin(patience, now)), loop);
  }

  private void begin(Duration patience, long now) {
    if (!waiting.hasMoreThan(begun)) {
      connecting--;
      return;
    }
    begun++;
    client
        .connect(EndpointConnect.to(endpoint, patience))
        .onComplete(made -> turns.follow(() -> made(made, now)));
  }

  private void made(AsyncResult<HttpClientConnection> made, long now) {
    connecting--;
    begun--;
    if (made.succeeded()) {
      connected(made.result(), now);
    } else {
      unconnected(made.cause());
    }
  }

  private void connected(HttpClientConnection connection, long now) {
    Channel channel = mount.between(connection.localAddress(), connection.remoteAddress());
    Link link = new Link(this, connection, multiplexed ? null : channel);
    link.idleSince = now;
    if (channel != null) {
      TlsEnd.watch(channel);
      InterimReader.on(channel, link::interim);
      if (multiplexed) {
        GatheredFlushes.on(channel);
      }
    }
    open.add(link);
    connection.closeHandler(gone -> forget(link));
    if (multiplexed) {
      // It takes no new streams from here on; those that it has may come to their end.
      connection.goAwayHandler(last -> {
        forget(link);
        closeWhenUnused(link);
      });
    }
    connection.exceptionHandler(broken -> {
      // An exchange that uses it is told by its stream; an idle one is closed, and the handler
      // above runs.
    });
    available.addLast(link);
    link.waitsInPool = true;
    serve();
  }

  /**
   * All exchanges that wait were waiting for this: one refusal of the endpoint answers all of them.
   */
  private void unconnected(Throwable cause) {
    if (open.isEmpty() || multiplexed) {
      waiting.drain().stream().filter(Waiter::waits).forEach(waiter -> waiter.unconnected(cause));
    } else {
      Waiter waiter = waiting.poll();
      if (waiter != null) {
        waiter.unconnected(cause);
      }
    }
  }

  private void serve() {
    Link link = next();
    Waiter waiter = link == null ? null : next(inUse());
    while (link != null && waiter != null) {
      take(link);
      waiter.connected(link);
      link = next();
      waiter = link == null ? null : next(inUse());
    }
    if (draining) {
      closeIdle();
    }
  }

  /** The next that waits, and may use one more than so many. */
  private @Nullable Waiter next(int used) {
    return waiting.poll(each -> mayUse(each, used));
  }

  void release(Link link) {
    link.streams--;
    link.used = true;
    if (link.closed) {
      closeWhenUnused(link);
      return;
    }
    if (!link.waitsInPool) {
      available.addLast(link);
      link.waitsInPool = true;
    }
    serve();
  }

  void discard(Link link) {
    link.streams--;
    link.used = true;
    if (!multiplexed) {
      forget(link);
      link.connection().close();
    } else if (link.closed) {
      closeWhenUnused(link);
    } else if (!link.waitsInPool) {
      available.addLast(link);
      link.waitsInPool = true;
      serve();
    }
  }

  private static void closeWhenUnused(Link link) {
    if (link.streams == 0) {
      link.connection().close();
    }
  }

  private void forget(Link link) {
    link.closed = true;
    available.remove(link);
    link.waitsInPool = false;
    if (open.remove(link)
        && !draining
        && waiting.size() > connecting
        && !(multiplexed && connecting > 0)) {
      // An exchange that waits for this one may have a new one in its place.
      connect(shared, lastPatience, lastAsked);
    }
  }

  /**
   * Closes connections that were not used for a while; called every so often with the present time.
   */
  void sweep(long now) {
    waiting.sweep();
    for (Link link : available.toArray(new Link[0])) {
      if (link.streams > 0) {
        link.idleSince = now;
      } else if (now - link.idleSince > MOST_IDLE.toNanos()) {
        close(link);
      }
    }
    for (Link link : open) {
      if (link.streams > 0) {
        link.idleSince = now;
      }
    }
  }

  /** Drains the pool, which gets no requests any more: connections close as they become idle. */
  void drain() {
    draining = true;
    closeIdle();
  }

  private void closeIdle() {
    for (Link link : available.toArray(new Link[0])) {
      if (link.streams == 0) {
        close(link);
      }
    }
  }

  private void close(Link link) {
    forget(link);
    link.connection().close();
  }

  /** Whether a drained pool has nothing left. */
  boolean empty() {
    return open.isEmpty() && connecting == 0 && waiting.isEmpty();
  }
}
