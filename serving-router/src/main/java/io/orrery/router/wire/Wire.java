package io.orrery.router.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.orrery.core.trace.Spans;
import io.orrery.router.health.EndpointState;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.Loop;
import io.orrery.router.policy.MemoryBudget;
import io.orrery.router.route.ClientAddress;
import io.vertx.core.http.HttpServerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of the fast way on one event loop: clients, requests under way, connections to
 * endpoints, the one head that is being read, and the connections on the way to Vert.x.
 */
public final class Wire {
  /** How long a connection may be open without a complete request head or a request at work. */
  static final Duration MOST_IDLE = Duration.ofSeconds(75);

  private static final int SWEEP_TICKS = 10;

  /** What is looked at first; heads are rarely longer. */
  private static final int GLANCE = 1024;

  private final Loop loop;
  private final Mount mount;
  private final HttpServerOptions options;
  private final boolean understands;
  private final byte[] scratch = new byte[MessageHead.MOST_BYTES];
  private final RequestHead requestHead = new RequestHead();
  private final ResponseHead responseHead = new ResponseHead();
  private final StreamHeads streamHeads = new StreamHeads();
  private final Set<Client> clients = new HashSet<>();

  /** Those for whom bytes wait. */
  private final Set<Client> waited = new LinkedHashSet<>();

  /**
   * Connections that were left to Vert.x, which has not shown them: since when they say nothing.
   */
  private final Map<Channel, Long> unseen = new HashMap<>();

  private final Map<ServiceState, LocalService> locals = new HashMap<>();
  private @Nullable Pools pools;
  private @Nullable Shadows shadows;
  private @Nullable Relay first;
  private int port;
  private int ticks;

  /**
   * @param options of the server behind it
   * @param understands whether it looks at what they say, or leaves all of them to Vert.x
   */
  public Wire(Loop loop, Mount mount, HttpServerOptions options, boolean understands) {
    this.loop = loop;
    this.mount = mount;
    this.options = options;
    this.understands = understands;
    loop.counts(this::requests);
  }

  private int requests(String network, String version) {
    int count = 0;
    for (Relay each = first; each != null; each = each.after) {
      boolean counts = each.network().equals(network) && each.destination.id().equals(version);
      count += counts ? 1 : 0;
    }
    return count;
  }

  /**
   * Takes the clients that come to this event loop; called on it, before its server listens: the
   * first of them comes before Vert.x has said that it does.
   *
   * @return false when this event loop has another wire
   */
  public boolean open() {
    return mount.open(this);
  }

  /** Takes only those of a port, from when it is known and other servers may listen. */
  public void openOnly(int ownPort) {
    port = ownPort;
  }

  /** Whether it takes the clients that came to a port. */
  boolean takes(int fromPort) {
    return port == 0 || port == fromPort;
  }

  /** Whether there is no TLS at its port. */
  boolean plain() {
    return !options.isSsl();
  }

  /** The scheme of the requests at its port: {@code http} or {@code https}. */
  String scheme() {
    return plain() ? "http" : "https";
  }

  /** Whether it looks at what clients say. */
  boolean understands() {
    return understands;
  }

  HttpServerOptions options() {
    return options;
  }

  /** The handler of a client's connection that is the wire's from now on. */
  Client client(Channel channel) {
    begin(channel);
    return new Client(this, channel);
  }

  private void begin(Channel channel) {
    if (pools == null) {
      Bootstrap bootstrap = mount.bootstrap(channel);
      pools = new Pools(this, bootstrap);
      shadows = new Shadows(loop, new Pools(this, bootstrap));
    }
  }

  /**
   * Takes the plain requests of a connection that Vert.x has shown.
   *
   * @param channel the connection
   * @param memory what is counted of it
   * @return null where all of its requests are for the other way
   */
  public @Nullable Streams streams(
      Channel channel,
      ClientAddress address,
      MemoryBudget.Connection memory,
      Streams.Listener listener) {
    Http2ConnectionHandler http2 = channel.pipeline().get(Http2ConnectionHandler.class);
    if (http2 == null || !understands || Spans.areMadeHere()) {
      return null;
    }
    begin(channel);
    ChannelHandlerContext codec = channel.pipeline().context(http2);
    return new Streams(this, http2, codec, address, memory, listener);
  }

  /**
   * Time passes.
   *
   * @param newTable whether another table is in force than at the last tick
   */
  public void tick(boolean newTable) {
    long now = loop.now();
    waited.removeIf(client -> !client.account());
    for (Relay relay = first; relay != null; ) {
      Relay following = relay.after;
      relay.check(now);
      relay = following;
    }
    boolean sweeps = ++ticks % SWEEP_TICKS == 0;
    if (sweeps) {
      sweepUnseen(now);
    }
    if (pools == null || shadows == null) {
      return;
    }
    shadows.tick(now);
    if (newTable) {
      locals.clear();
      Set<EndpointState> kept = loop.table().endpoints();
      pools.keep(kept);
      shadows.keep(kept);
    }
    if (sweeps) {
      pools.sweep(now);
      shadows.sweep(now);
      List<Client> idle = new ArrayList<>(0);
      for (Client client : clients) {
        if (client.tooIdle(now)) {
          idle.add(client);
        }
      }
      idle.forEach(Client::close);
    }
  }

  /** Takes no more clients, and closes what is open; called on the event loop. */
  public void close() {
    mount.close();
    List.copyOf(clients).forEach(Client::close);
    if (pools != null) {
      pools.close();
    }
    if (shadows != null) {
      shadows.close();
    }
  }

  /** Reads a head from what has come; see {@link MessageHead#read}. Nothing is consumed. */
  int read(MessageHead head, ByteBuf in) {
    int here = Math.min(in.readableBytes(), scratch.length);
    int glance = Math.min(here, GLANCE);
    in.getBytes(in.readerIndex(), scratch, 0, glance);
    int end = head.read(scratch, glance);
    if (end == MessageHead.INCOMPLETE && here > glance) {
      in.getBytes(in.readerIndex() + glance, scratch, glance, here - glance);
      end = head.read(scratch, here);
    }
    return end;
  }

  RequestHead requestHead() {
    return requestHead;
  }

  StreamHeads streamHeads() {
    return streamHeads;
  }

  ResponseHead responseHead() {
    return responseHead;
  }

  Loop loop() {
    return loop;
  }

  /** The time of the last tick. */
  long now() {
    return loop.now();
  }

  /** A service that has a request. */
  LocalService local(ServiceState service) {
    LocalService local = locals.get(service);
    if (local == null) {
      local = new LocalService(this, service);
      locals.put(service, local);
    }
    return local;
  }

  Pool pool(EndpointState endpoint) {
    return Objects.requireNonNull(pools).of(endpoint);
  }

  Shadows shadows() {
    return Objects.requireNonNull(shadows);
  }

  void add(Client client) {
    clients.add(client);
    loop.meters().connection(1);
  }

  /** Bytes wait for a client; it is looked at until none do. */
  void waits(Client client) {
    waited.add(client);
  }

  void remove(Client client) {
    waited.remove(client);
    if (clients.remove(client)) {
      loop.meters().connection(-1);
    }
  }

  /**
   * A connection is Vert.x's from now on. Vert.x shows one only when its first head is whole, and
   * waits for that without end; so it is watched until then.
   *
   * @param since when it began to say nothing
   */
  void leave(Channel channel, long since) {
    unseen.put(channel, since);
  }

  /** Vert.x has shown it. */
  void seen(Channel channel) {
    unseen.remove(channel);
  }

  private void sweepUnseen(long now) {
    unseen
        .entrySet()
        .removeIf(left -> {
          if (now - left.getValue() > MOST_IDLE.toNanos()) {
            left.getKey().close();
          }
          return !left.getKey().isOpen();
        });
  }

  void add(Relay relay) {
    relay.after = first;
    if (first != null) {
      first.before = relay;
    }
    first = relay;
  }

  void remove(Relay relay) {
    if (relay.before != null) {
      relay.before.after = relay.after;
    } else {
      first = relay.after;
    }
    if (relay.after != null) {
      relay.after.before = relay.before;
    }
  }
}
