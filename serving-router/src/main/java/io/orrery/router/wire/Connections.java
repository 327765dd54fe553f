package io.orrery.router.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import io.orrery.router.policy.Connecting;
import io.orrery.router.policy.WorkTurns;
import io.orrery.router.route.EndpointAddress;
import io.orrery.router.route.EndpointTls;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one address. Between requests they belong to no service: a
 * thousand services of one server share them, as they would if they were one. The one used last is
 * used next, so that the others may age and go.
 */
final class Connections {
  /** Sooner than the shortest that common servers keep an idle connection (5 s). */
  private static final Duration MOST_IDLE = Duration.ofSeconds(4);

  private final Wire wire;
  private final Bootstrap bootstrap;
  private final InetSocketAddress address;
  private final ArrayDeque<Upstream> idle = new ArrayDeque<>();
  private final Set<Upstream> open = new HashSet<>();
  private int connecting;
  private int pools;

  /**
   * @param plain knows the event loop, the transport and the resolver
   * @param tls null when the endpoint has none, as the next one
   * @param context of its TLS
   */
  Connections(
      Wire wire,
      Bootstrap plain,
      EndpointAddress endpoint,
      @Nullable EndpointTls tls,
      @Nullable SslContext context) {
    String name = tls == null || tls.serverName() == null ? endpoint.host() : tls.serverName();
    this.wire = wire;
    this.address =
        NetUtil.isValidIpV4Address(endpoint.host()) || NetUtil.isValidIpV6Address(endpoint.host())
            ? new InetSocketAddress(endpoint.host(), endpoint.port())
            : InetSocketAddress.createUnresolved(endpoint.host(), endpoint.port());
    this.bootstrap =
        plain
            .clone()
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.config().setRecvByteBufAllocator(Mount.reads(wire));
                    if (context != null) {
                      channel
                          .pipeline()
                          .addLast(context.newHandler(channel.alloc(), name, endpoint.port()));
                    }
                    channel.pipeline().addLast(new Upstream(wire, Connections.this, channel));
                  }
                });
  }

  /** One more pool takes from here. */
  void join() {
    pools++;
  }

  /** One less; after the last, connections close as they become idle. */
  void part() {
    pools--;
    while (pools == 0 && !idle.isEmpty()) {
      idle.getFirst().discard();
    }
  }

  /** One that is idle, for this pool from now on; null when there is none. */
  @Nullable Upstream take(Pool pool) {
    Upstream ready = idle.pollLast();
    if (ready != null) {
      ready.user = pool;
    }
    return ready;
  }

  /** The turn of connections that are for no client alone. */
  String shared() {
    return address.toString();
  }

  /**
   * Makes one more for a pool, which hears of it, when it is the turn of a client; the timeout
   * counts from then on.
   */
  void connect(Pool pool, String client, Duration timeout) {
    connecting++;
    wire.loop()
        .turns()
        .run(new Connecting(client, () -> begin(pool, timeout)), bootstrap.config().group().next());
  }

  private void begin(Pool pool, Duration timeout) {
    if (!pool.begins()) {
      connecting--;
      return;
    }
    WorkTurns turns = wire.loop().turns();
    long until = turns.now() + timeout.toNanos();
    bootstrap
        .clone()
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, millis(timeout.toNanos()))
        .connect(address)
        .addListener(
            (ChannelFutureListener)
                made -> {
                  SslHandler tls = made.channel().pipeline().get(SslHandler.class);
                  if (tls == null || !made.isSuccess()) {
                    turns.follow(() -> made(made.channel(), made.isSuccess(), pool));
                  } else {
                    tls.setHandshakeTimeoutMillis(millis(until - turns.now()));
                    tls.handshakeFuture()
                        .addListener(shaken ->
                            turns.follow(() -> made(made.channel(), shaken.isSuccess(), pool)));
                  }
                });
  }

  private static int millis(long nanos) {
    return Math.clamp(TimeUnit.NANOSECONDS.toMillis(nanos + 999_999), 1, Integer.MAX_VALUE);
  }

  private void made(Channel channel, boolean made, Pool pool) {
    pool.made(connected(channel, made, pool));
  }

  private @Nullable Upstream connected(Channel channel, boolean made, Pool pool) {
    connecting--;
    Upstream upstream = made ? channel.pipeline().get(Upstream.class) : null;
    if (upstream == null || upstream.closed()) {
      return null;
    }
    open.add(upstream);
    upstream.user = pool;
    return upstream;
  }

  /** Keeps a connection that is not needed for now. */
  void keep(Upstream upstream) {
    upstream.user = null;
    idle.addLast(upstream);
    upstream.idleSince = wire.now();
    if (pools == 0) {
      upstream.discard();
    }
  }

  /** It is closed, or about to be. */
  void forget(Upstream upstream) {
    if (!open.remove(upstream)) {
      return;
    }
    Pool user = upstream.user;
    if (user == null) {
      idle.remove(upstream);
    } else {
      upstream.user = null;
      user.lost();
    }
  }

  /**
   * Closes connections that were not used for a while; called every so often with the present time.
   */
  void sweep(long now) {
    Upstream oldest = idle.peekFirst();
    while (oldest != null && now - oldest.idleSince > MOST_IDLE.toNanos()) {
      oldest.discard();
      oldest = idle.peekFirst();
    }
  }

  /** Closes everything at once. */
  void close() {
    List.copyOf(open).forEach(Upstream::discard);
  }

  /** Whether none will be asked for, and none is left. */
  boolean abandoned() {
    return pools == 0 && open.isEmpty() && connecting == 0;
  }
}
