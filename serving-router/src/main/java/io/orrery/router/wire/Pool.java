package io.orrery.router.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.util.NetUtil;
import io.orrery.router.route.EndpointAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one endpoint, one request on each at a time. The one used
 * last is used next, so that the others may age and go.
 */
final class Pool {
  /** Sooner than the shortest that common servers keep an idle connection (5 s). */
  private static final Duration MOST_IDLE = Duration.ofSeconds(4);

  /** Waits for a connection. */
  interface Waiter {
    /** Here it is; called once, unless one of the others is. */
    void connected(Upstream upstream);

    /** No connection could be made. */
    void unconnected();

    /** As many as may wait do. */
    void crowdedOut();

    /** Whether it still waits. */
    boolean waits();
  }

  private final Wire wire;
  private final Bootstrap bootstrap;
  private final InetSocketAddress address;
  private final ArrayDeque<Upstream> idle = new ArrayDeque<>();
  private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
  private final Set<Upstream> open = new HashSet<>();
  private int connecting;
  private boolean draining;

  /**
   * @param plain knows the event loop, the transport and the resolver
   */
  Pool(Wire wire, Bootstrap plain, EndpointAddress endpoint) {
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
                    channel.config().setRecvByteBufAllocator(Mount.READS);
                    channel.pipeline().addLast(new Upstream(wire, Pool.this, channel));
                  }
                });
  }

  /**
   * Finds or makes a connection.
   *
   * @param most how many this pool may have
   * @param mostWaiting how many may wait for one
   */
  void acquire(Waiter waiter, int most, int mostWaiting, Duration patience) {
    Upstream ready = idle.pollLast();
    if (ready != null) {
      waiter.connected(ready);
    } else if (open.size() + connecting < most) {
      waiting.addLast(waiter);
      connect(patience);
    } else if (waiting.size() < mostWaiting + connecting) {
      waiting.addLast(waiter);
    } else {
      waiter.crowdedOut();
    }
  }

  private void connect(Duration patience) {
    connecting++;
    int millis = Math.clamp(patience.toMillis(), 1, Integer.MAX_VALUE);
    bootstrap
        .clone()
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, millis)
        .connect(address)
        .addListener((ChannelFutureListener) this::connected);
  }

  private void connected(ChannelFuture made) {
    connecting--;
    if (made.isSuccess()) {
      Upstream upstream = made.channel().pipeline().get(Upstream.class);
      if (upstream != null && !upstream.closed()) {
        open.add(upstream);
        put(upstream);
        return;
      }
    }
    unconnected();
  }

  /** Everybody who waits was waiting for this: one refusal of the endpoint answers all of them. */
  private void unconnected() {
    if (open.isEmpty()) {
      List<Waiter> all = new ArrayList<>(waiting);
      waiting.clear();
      all.stream().filter(Waiter::waits).forEach(Waiter::unconnected);
    } else {
      Waiter waiter = patient();
      if (waiter != null) {
        waiter.unconnected();
      }
    }
  }

  private @Nullable Waiter patient() {
    Waiter waiter = waiting.pollFirst();
    while (waiter != null && !waiter.waits()) {
      waiter = waiting.pollFirst();
    }
    return waiter;
  }

  void release(Upstream upstream) {
    if (!upstream.closed()) {
      put(upstream);
    }
  }

  private void put(Upstream upstream) {
    Waiter waiter = patient();
    if (waiter != null) {
      waiter.connected(upstream);
    } else if (draining) {
      upstream.discard();
    } else {
      upstream.idleSince = wire.now();
      idle.addLast(upstream);
    }
  }

  void forget(Upstream upstream) {
    if (open.remove(upstream)) {
      idle.remove(upstream);
    }
  }

  /** Closes what nobody has used for a while; called every so often with the present time. */
  void sweep(long now) {
    waiting.removeIf(waiter -> !waiter.waits());
    Upstream oldest = idle.peekFirst();
    while (oldest != null && now - oldest.idleSince > MOST_IDLE.toNanos()) {
      oldest.discard();
      oldest = idle.peekFirst();
    }
  }

  /** Nobody will ask it any more: connections close as they become idle. */
  void drain() {
    draining = true;
    while (!idle.isEmpty()) {
      idle.getFirst().discard();
    }
  }

  /** Closes everything at once. */
  void close() {
    List.copyOf(open).forEach(Upstream::discard);
  }

  /** Whether a drained pool has nothing left. */
  boolean empty() {
    return open.isEmpty() && connecting == 0 && waiting.isEmpty();
  }
}
