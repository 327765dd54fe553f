package io.orrery.router.tcp;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.orrery.router.health.EndpointState;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.Admission;
import io.orrery.router.policy.Loop;
import io.orrery.router.policy.MemoryBudget;
import io.orrery.router.route.ClientAddress;
import io.orrery.router.route.ClientLimits;
import io.orrery.router.route.EndpointAddress;
import io.orrery.router.telemetry.Meters.Refusal;
import io.orrery.router.telemetry.TcpMeters;
import io.orrery.router.wire.Mount;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a client joined with one to an endpoint. Bytes pass both ways, each way as fast
 * as its reader reads; an end of one direction is passed on, and the other direction goes on.
 */
final class ByteRelay implements MemoryBudget.Owner {
  /** Endpoints that are tried; one whose connection fails has got no byte. */
  private static final int ATTEMPTS = 3;

  private final PortListeners listeners;
  private final Loop loop;
  private final Mount mount;
  private final Channel client;
  private final MemoryBudget.Connection counted;
  private final MemoryBudget.Stream stream;
  private final ClientAddress address;
  private final List<EndpointState> failed = new ArrayList<>();
  private @Nullable ServiceState service;
  private @Nullable EndpointState endpoint;
  private @Nullable Channel back;
  private TcpMeters.@Nullable Passed passed;
  private long movedAt;
  private int ends;
  private boolean joined;
  private boolean over;

  ByteRelay(
      PortListeners listeners,
      Loop loop,
      Mount mount,
      Channel client,
      MemoryBudget.Connection counted,
      ClientAddress address) {
    this.listeners = listeners;
    this.loop = loop;
    this.mount = mount;
    this.client = client;
    this.counted = counted;
    this.stream = counted.stream(this);
    this.address = address;
    this.movedAt = loop.now();
  }

  /** Lets the connection in, or closes it. */
  void begin(ServiceState wanted) {
    client.closeFuture().addListener(gone -> end());
    switch (loop.admit(loop.table(), wanted, new ConnectionFacts(address), counted)) {
      case Admission.TurnedAway away -> refuse(away.why());
      case Admission.Admitted admitted -> {
        service = admitted.target();
        passed = loop.meters().tcp().of(service.id());
        connect(service);
      }
    }
  }

  private void refuse(Refusal why) {
    loop.meters().refused(why);
    cut();
  }

  // ---- the endpoint
  // -------------------------------------------------------------------------------

  private void connect(ServiceState target) {
    EndpointState chosen = fewest(target);
    if (chosen == null) {
      refuse(failed.isEmpty() ? Refusal.NO_ENDPOINT : Refusal.CONNECT_FAILED);
      return;
    }
    endpoint = chosen;
    chosen.begin(loop.number(), 0);
    EndpointAddress to = chosen.address();
    int millis = Math.clamp(target.connectTimeout().toMillis(), 1, Integer.MAX_VALUE);
    Bootstrap bootstrap =
        mount
            .bootstrap(client)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, millis)
            .option(ChannelOption.AUTO_READ, false)
            .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .option(ChannelOption.SO_KEEPALIVE, true)
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.config().setRecvByteBufAllocator(Mount.reads(loop.reads()));
                  }
                });
    bootstrap
        .connect(InetSocketAddress.createUnresolved(to.host(), to.port()))
        .addListener((ChannelFutureListener) made -> connected(made, target, chosen));
  }

  /** The one with the fewest connections that may have one more; of several, any. */
  private @Nullable EndpointState fewest(ServiceState target) {
    EndpointState best = null;
    int least = target.limits().connections();
    List<EndpointState> all = target.endpoints();
    int start = all.isEmpty() ? 0 : loop.random().nextInt(all.size());
    for (int i = 0; i < all.size(); i++) {
      EndpointState each = all.get((start + i) % all.size());
      if (each.available() && !failed.contains(each) && each.outstanding() < least) {
        least = each.outstanding();
        best = each;
      }
    }
    return best;
  }

  private void connected(ChannelFuture made, ServiceState target, EndpointState chosen) {
    if (over) {
      made.channel().close();
      return;
    }
    boolean well = made.isSuccess();
    target.answered(chosen, well, loop.nanos());
    if (well) {
      join(made.channel());
      return;
    }
    chosen.end(loop.number(), 0);
    endpoint = null;
    failed.add(chosen);
    ServiceState present = loop.table().state(target.id());
    if (present == null || failed.size() >= ATTEMPTS) {
      refuse(Refusal.CONNECT_FAILED);
    } else {
      service = present;
      connect(present);
    }
  }

  // ---- the bytes
  // ----------------------------------------------------------------------------------

  private void join(Channel made) {
    back = made;
    joined = true;
    if (passed != null) {
      passed.connected();
    }
    client.config().setRecvByteBufAllocator(Mount.reads(loop.reads()));
    client.pipeline().addLast(new End(made, true));
    made.pipeline().addLast(new End(client, false));
    made.closeFuture().addListener(gone -> end());
    client.config().setAutoRead(true);
    made.config().setAutoRead(true);
  }

  /** A handler of one end: what comes from it goes to the other one. */
  private final class End extends ChannelInboundHandlerAdapter {
    private final Channel other;
    private final boolean isClient;

    End(Channel other, boolean isClient) {
      this.other = other;
      this.isClient = isClient;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      int count = bytes.readableBytes();
      movedAt = loop.now();
      count(count);
      other.write(bytes).addListener(written -> written(count));
      if (!mayRead(isClient)) {
        ctx.channel().config().setAutoRead(false);
      }
    }

    private void count(int bytes) {
      if (isClient) {
        stream.keep(bytes);
      } else {
        stream.hold(bytes);
      }
      if (passed != null && isClient) {
        passed.received(bytes);
      } else if (passed != null) {
        passed.sent(bytes);
      }
    }

    private void written(int bytes) {
      movedAt = loop.now();
      if (isClient) {
        stream.keep(-bytes);
      } else {
        stream.taken(bytes);
      }
      resume();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      other.flush();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event == ChannelInputShutdownEvent.INSTANCE) {
        // After all that was written before; a shutdown at once would drop it.
        other
            .writeAndFlush(Unpooled.EMPTY_BUFFER)
            .addListener(written -> {
              ((DuplexChannel) other).shutdownOutput();
              if (++ends == 2) {
                end();
              }
            });
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable broken) {
      cut();
    }
  }

  private boolean mayRead(boolean fromClient) {
    return fromClient ? stream.kept() < ClientLimits.STREAM && stream.hasRoom() : stream.mayRead();
  }

  @Override
  public void resume() {
    Channel made = back;
    if (over || made == null) {
      return;
    }
    if (!client.config().isAutoRead() && mayRead(true)) {
      client.config().setAutoRead(true);
    }
    if (!made.config().isAutoRead() && mayRead(false)) {
      made.config().setAutoRead(true);
    }
  }

  /** Time passes. */
  void check(long now) {
    ServiceState of = service;
    if (joined && of != null && now - movedAt > of.service().timeouts().idle().toNanos()) {
      cut();
    }
  }

  // ---- the end
  // ------------------------------------------------------------------------------------

  /** Ends it so that both sides know that it did not come to its end. */
  @Override
  public void cut() {
    reset(client);
    if (back != null) {
      reset(back);
    }
    end();
  }

  private static void reset(Channel channel) {
    if (channel.isOpen()) {
      channel.config().setOption(ChannelOption.SO_LINGER, 0);
    }
  }

  private void end() {
    if (over) {
      return;
    }
    over = true;
    client.close();
    if (back != null) {
      back.close();
    }
    if (endpoint != null) {
      endpoint.end(loop.number(), 0);
    }
    if (service != null) {
      service.leave(loop.number());
    }
    listeners.over(this);
  }
}
