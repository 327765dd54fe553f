package io.orrery.router.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.resolver.AddressResolverGroup;
import io.vertx.core.Vertx;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the servers of a Vert.x: a transport like the one that it wraps, whose connections
 * begin with a door. The door leads to the {@link Wire} of the event loop and the port at which a
 * client came in, and out of the way when there is none.
 *
 * <p>This class alone touches what Vert.x does not promise: the transport's service interface, by
 * which a handler comes first in the pipeline of an accepted connection, and the name resolver. All
 * else is public API of Netty. Handing connections over between two listeners was the other choice:
 * it costs every handed-over byte a second trip through the kernel, and the client's address
 * (docs/decisions/0023).
 */
public final class Mount implements Transport {
  /** So much may wait to be written before the other end is left waiting. */
  private static final WriteBufferWaterMark WAITING =
      new WriteBufferWaterMark(64 * 1024, 256 * 1024);

  private final Transport wrapped;
  private final boolean reusePort;
  private final Map<Thread, Wire> wires = new ConcurrentHashMap<>();
  private @Nullable AddressResolverGroup<InetSocketAddress> names;

  /**
   * @param reusePort whether successors may listen at the ports of this Vert.x
   */
  public Mount(Transport wrapped, boolean reusePort) {
    this.wrapped = wrapped;
    this.reusePort = reusePort;
  }

  /** Says whose transport it has become. */
  public void on(Vertx vertx) {
    names = ((VertxInternal) vertx).nameResolver().nettyAddressResolverGroup();
  }

  /** Clients that come to this thread and the wire's port are the wire's. */
  void open(Wire wire) {
    wires.put(Thread.currentThread(), wire);
  }

  /** The wire of this thread takes no more clients. */
  void close() {
    wires.remove(Thread.currentThread());
  }

  /** Makes connections to endpoints on the event loop of a client. */
  Bootstrap bootstrap(Channel client) {
    return new Bootstrap()
        .group(client.eventLoop())
        .channelFactory(wrapped.implementation().channelFactory(false))
        .resolver(names)
        .option(ChannelOption.ALLOCATOR, client.alloc())
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WAITING);
  }

  @Override
  public String name() {
    return wrapped.name();
  }

  @Override
  public boolean available() {
    return wrapped.available();
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return wrapped.unavailabilityCause();
  }

  @Override
  public io.vertx.core.spi.transport.Transport implementation() {
    return new Doors(wrapped.implementation(), new Porter());
  }

  /** Sees every connection that is accepted, before Vert.x does. */
  @Sharable
  private final class Porter extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      if (reusePort) {
        SharedPort.preferNewest(ctx.channel());
      }
      ctx.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object accepted) {
      ((Channel) accepted).pipeline().addFirst(new Door());
      ctx.fireChannelRead(accepted);
    }
  }

  /** Is replaced by a client's handler, or goes away, as soon as its connection is open. */
  private final class Door extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      Channel channel = ctx.channel();
      Wire wire = wires.get(Thread.currentThread());
      if (wire != null
          && channel.localAddress() instanceof InetSocketAddress local
          && local.getPort() == wire.port()) {
        channel.config().setWriteBufferWaterMark(WAITING);
        ctx.pipeline().replace(this, null, wire.client(channel));
      } else {
        ctx.pipeline().remove(this);
      }
      ctx.fireChannelActive();
    }
  }

  /** The wrapped transport, with a porter at its servers. */
  private record Doors(io.vertx.core.spi.transport.Transport plain, Porter porter)
      implements io.vertx.core.spi.transport.Transport {
    @Override
    public void configure(
        NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
      plain.configure(options, domainSocket, bootstrap);
      bootstrap.handler(porter);
    }

    @Override
    public void configure(
        ClientOptionsBase options, int connectTimeout, boolean domainSocket, Bootstrap bootstrap) {
      plain.configure(options, connectTimeout, domainSocket, bootstrap);
    }

    @Override
    public void configure(DatagramChannel channel, DatagramSocketOptions options) {
      plain.configure(channel, options);
    }

    @Override
    public boolean supportsDomainSockets() {
      return plain.supportsDomainSockets();
    }

    @Override
    public boolean supportFileRegion() {
      return plain.supportFileRegion();
    }

    @Override
    public boolean isAvailable() {
      return plain.isAvailable();
    }

    @Override
    public Throwable unavailabilityCause() {
      return plain.unavailabilityCause();
    }

    @Override
    public SocketAddress convert(io.vertx.core.net.SocketAddress address) {
      return plain.convert(address);
    }

    @Override
    public io.vertx.core.net.SocketAddress convert(SocketAddress address) {
      return plain.convert(address);
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
      return plain.ioHandlerFactory();
    }

    @Override
    public EventLoopGroup eventLoopGroup(
        int type, int threads, ThreadFactory threadFactory, int ioRatio) {
      return plain.eventLoopGroup(type, threads, threadFactory, ioRatio);
    }

    @Override
    public DatagramChannel datagramChannel() {
      return plain.datagramChannel();
    }

    @Override
    @SuppressWarnings("deprecation") // the interface names it
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
      return plain.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
      return plain.channelFactory(domainSocket);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
      return plain.serverChannelFactory(domainSocket);
    }
  }
}
