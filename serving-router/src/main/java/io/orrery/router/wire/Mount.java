package io.orrery.router.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.AttributeKey;
import io.orrery.core.http.StrictRequests;
import io.orrery.router.policy.MemoryBudget;
import io.orrery.router.policy.ReadBudget;
import io.orrery.router.route.ClientAddress;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.net.SslHandshakeCompletionHandler;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.core.transport.Transport;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the servers of a Vert.x: a transport like the one that it wraps, whose connections
 * begin with a door. The door leads to the {@link Wire} of the event loop and the port at which a
 * client came in, and out of the way when there is none.
 *
 * <p>This class alone of its package touches what Vert.x does not promise: the transport's service
 * interface, by which a handler comes first in the pipeline of an accepted connection and
 * connections to endpoints are known, the handler that waits for the end of a TLS handshake, the
 * channel of a connection, and the name resolver. Handing connections over between two listeners
 * would cost each byte a second trip through the kernel, and the client's address (decision 0023).
 */
public final class Mount implements Transport {
  /** So much may wait to be written before the other end is left waiting. */
  static final WriteBufferWaterMark WAITING = new WriteBufferWaterMark(64 * 1024, 256 * 1024);

  /**
   * A large body is read in pieces of up to 256 KB, four times what Netty would take: most of its
   * cost is system calls. Small ones are read into small buffers all the same. Once in a turn of
   * the loop: sixteen of them, as Netty would read, are milliseconds in which all others wait.
   */
  private static final RecvByteBufAllocator LARGE =
      new AdaptiveRecvByteBufAllocator(64, 2048, 256 * 1024).maxMessagesPerRead(1);

  /** Of connections that Vert.x reads, once in a turn of the loop, and copies what it keeps. */
  private static final RecvByteBufAllocator PLAIN =
      new AdaptiveRecvByteBufAllocator(64, 2048, 64 * 1024).maxMessagesPerRead(1);

  private final Transport wrapped;
  private final boolean reusePort;

  private final Outgoing outgoing = new Outgoing();

  /** What is counted of a client's connection; absent where it came to another port. */
  private static final AttributeKey<MemoryBudget.Connection> COUNTED =
      AttributeKey.valueOf(Mount.class, "counted");

  private final AtomicLong accepted = new AtomicLong();
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

  /**
   * Gives the clients that come to this thread and the wire's port to the wire.
   *
   * @return false when the thread has another wire
   */
  boolean open(Wire wire) {
    return wires.putIfAbsent(Thread.currentThread(), wire) == null;
  }

  /** The wire of this thread takes no more clients. */
  void close() {
    wires.remove(Thread.currentThread());
  }

  /** How the connections of a wire are read. */
  static RecvByteBufAllocator reads(Wire wire) {
    return new Reads(LARGE, wire.loop().reads());
  }

  /** The options of connections whose bytes are passed on. */
  public static RecvByteBufAllocator reads(ReadBudget budget) {
    return new Reads(LARGE, budget);
  }

  /** Listens on the event loop of a context, apart from Vert.x's servers. */
  public ServerBootstrap server(Context home) {
    return new ServerBootstrap()
        .group(loop(home))
        .channelFactory(wrapped.implementation().serverChannelFactory(false));
  }

  /** The event loop of a context. */
  public static EventLoop loop(Context home) {
    return ((ContextInternal) home).nettyEventLoop();
  }

  /** Lets a successor listen at the same port, where that is wanted and this transport can. */
  public void share(ServerBootstrap server) {
    if (reusePort) {
      server.option(UnixChannelOption.SO_REUSEPORT, true);
    }
  }

  /** Whether successors may listen at the ports of this Vert.x. */
  public boolean reusePort() {
    return reusePort;
  }

  /** Gives the new connections of a shared port to who came last; called when it listens. */
  public static void preferNewest(Channel listening) {
    SharedPort.preferNewest(listening);
  }

  /** How Vert.x's connections are read on this thread. */
  private RecvByteBufAllocator plainReads() {
    return () -> {
      Wire wire = wires.get(Thread.currentThread());
      return (wire == null ? PLAIN : new Reads(PLAIN, wire.loop().reads())).newHandle();
    };
  }

  /** Makes connections to endpoints on the event loop of a client. */
  public Bootstrap bootstrap(Channel client) {
    return new Bootstrap()
        .group(client.eventLoop())
        .channelFactory(wrapped.implementation().channelFactory(false))
        .resolver(names)
        .option(ChannelOption.ALLOCATOR, client.alloc())
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WAITING);
  }

  /**
   * Vert.x has shown a client's connection, and its caller watches it from now on.
   *
   * @return the connection's channel; null when Vert.x does not show it
   */
  public @Nullable Channel seen(HttpConnection connection) {
    Wire wire = wires.get(Thread.currentThread());
    Channel channel =
        connection instanceof ConnectionBase base ? base.channelHandlerContext().channel() : null;
    if (wire != null && channel != null) {
      wire.seen(channel);
      StrictRequests requests = channel.pipeline().get(StrictRequests.class);
      if (requests != null && channel.config().getRecvByteBufAllocator() instanceof Reads reads) {
        reads.readLittleWhileMany(requests::waiting);
      }
    }
    return channel;
  }

  /** What is counted of a client's connection; null when it is not. */
  public static MemoryBudget.@Nullable Connection counted(Channel channel) {
    return channel.attr(COUNTED).get();
  }

  /** Connections that were accepted since the start, at any port of this Vert.x. */
  public long accepted() {
    return accepted.get();
  }

  /** The connection that Vert.x has between two addresses; null when there is none any more. */
  public @Nullable Channel between(
      io.vertx.core.net.SocketAddress local, io.vertx.core.net.SocketAddress remote) {
    return outgoing.between(local, remote);
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
    return new Doors(wrapped.implementation(), new Porter(), outgoing, plainReads());
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
    public void channelRead(ChannelHandlerContext ctx, Object client) {
      accepted.incrementAndGet();
      ((Channel) client).pipeline().addFirst(new Door());
      ctx.fireChannelRead(client);
    }
  }

  /** A handler that is replaced by a client's, or goes away, as soon as its connection is open. */
  private final class Door extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      Channel channel = ctx.channel();
      Wire wire = wires.get(Thread.currentThread());
      if (wire != null
          && channel.localAddress() instanceof InetSocketAddress local
          && wire.takes(local.getPort())) {
        if (!count(wire, channel)) {
          ctx.close();
          return;
        }
        channel.config().setRecvByteBufAllocator(new Reads(PLAIN, wire.loop().reads()));
        lead(wire, ctx.pipeline());
      } else {
        ctx.pipeline().remove(this);
      }
      ctx.fireChannelActive();
    }

    /** Whether there is room for one more. */
    private static boolean count(Wire wire, Channel channel) {
      MemoryBudget.Connection counted =
          wire.loop().memory().open(ClientAddress.ofRemote(channel.remoteAddress()).network());
      if (counted == null) {
        return false;
      }
      channel.attr(COUNTED).set(counted);
      channel.closeFuture().addListener(closed -> counted.close());
      return true;
    }

    private void lead(Wire wire, ChannelPipeline pipeline) {
      Channel channel = pipeline.channel();
      if (wire.understands() && wire.plain()) {
        channel.config().setWriteBufferWaterMark(WAITING).setRecvByteBufAllocator(reads(wire));
        pipeline.replace(this, null, wire.client(channel));
        return;
      }
      wire.leave(channel, wire.now());
      if (wire.plain()) {
        pipeline.replace(this, null, new FirstBytes(wire.options()));
        return;
      }
      if (wire.understands()) {
        String next = pipeline.context(SslHandshakeCompletionHandler.class).name();
        pipeline.addBefore(next, null, new Handshake(wire));
      }
      pipeline.remove(this);
    }
  }

  /** The wrapped transport, with a porter at its servers and a list of what its clients open. */
  private record Doors(
      io.vertx.core.spi.transport.Transport plain,
      Porter porter,
      Outgoing outgoing,
      RecvByteBufAllocator reads)
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
      ChannelFactory<? extends Channel> factory = plain.channelFactory(domainSocket);
      return () -> {
        Channel channel = factory.newChannel();
        channel.config().setRecvByteBufAllocator(reads);
        outgoing.add(channel);
        return channel;
      };
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
      return plain.serverChannelFactory(domainSocket);
    }
  }
}
