package io.orrery.router.wire;

import io.netty.channel.Channel;
import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The connections that a Vert.x has opened, by their local ports once they have one: each is looked
 * for when it is made, and there may be thousands.
 */
final class Outgoing {
  /** Those of which it is not known yet. */
  private final Set<Channel> fresh = ConcurrentHashMap.newKeySet();

  private final Map<Integer, Set<Channel>> byPort = new ConcurrentHashMap<>();

  /** A connection is about to be opened. */
  void add(Channel channel) {
    fresh.add(channel);
    channel.closeFuture().addListener(closed -> remove(channel));
  }

  private void remove(Channel channel) {
    fresh.remove(channel);
    if (channel.localAddress() instanceof InetSocketAddress local) {
      byPort.computeIfPresent(
          local.getPort(),
          (port, all) -> {
            all.remove(channel);
            return all.isEmpty() ? null : all;
          });
    }
  }

  /** The connection between two addresses; null when there is none any more. */
  @Nullable Channel between(SocketAddress local, SocketAddress remote) {
    for (Channel channel : fresh) {
      if (channel.localAddress() instanceof InetSocketAddress address) {
        file(channel, address.getPort());
      }
    }
    for (Channel channel : byPort.getOrDefault(local.port(), Set.of())) {
      if (is(channel.localAddress(), local) && is(channel.remoteAddress(), remote)) {
        return channel;
      }
    }
    return null;
  }

  private void file(Channel channel, int port) {
    byPort.compute(
        port,
        (key, all) -> {
          Set<Channel> same = all == null ? ConcurrentHashMap.newKeySet(1) : all;
          same.add(channel);
          return same;
        });
    fresh.remove(channel);
    if (!channel.isOpen()) {
      remove(channel);
    }
  }

  private static boolean is(java.net.@Nullable SocketAddress address, SocketAddress wanted) {
    return address instanceof InetSocketAddress internet
        && internet.getPort() == wanted.port()
        && internet.getAddress().getHostAddress().equals(wanted.hostAddress());
  }
}
