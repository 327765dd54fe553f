package io.orrery.router.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.Loop;
import io.orrery.router.policy.MemoryBudget;
import io.orrery.router.policy.TcpPorts;
import io.orrery.router.route.ClientAddress;
import io.orrery.router.route.Service;
import io.orrery.router.wire.Mount;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ports of services that one event loop listens on, and the connections that came to them. Each
 * port belongs to one of the event loops. Used on that event loop alone.
 *
 * <p>A port that cannot be listened on is tried again every second; the reason stands in the state
 * of its service. A port that leaves the table is closed, and its connections go on until they end.
 */
public final class PortListeners {
  private static final Logger LOG = LoggerFactory.getLogger(PortListeners.class);
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final int BACKLOG = 1_024;
  private static final WriteBufferWaterMark WAITING =
      new WriteBufferWaterMark(32 * 1024, 64 * 1024);

  private final Loop loop;
  private final Mount mount;
  private final Context home;
  private final int loops;
  private final Map<Integer, Listening> listening = new HashMap<>();
  private final Set<ByteRelay> relays = new LinkedHashSet<>();
  private long triedAt;
  private boolean missing;
  private boolean closed;
  private @Nullable Promise<Void> drained;

  /** A port that is open, or about to be. */
  private static final class Listening {
    private String service;
    private final Channel channel;

    Listening(String service, Channel channel) {
      this.service = service;
      this.channel = channel;
    }
  }

  /**
   * @param home the context of the event loop
   * @param loops how many share the ports
   */
  public PortListeners(Loop loop, Mount mount, Context home, int loops) {
    this.loop = loop;
    this.mount = mount;
    this.home = home;
    this.loops = loops;
  }

  /** Opens the ports of the table. */
  public void open() {
    compare();
  }

  /**
   * Time passes.
   *
   * @param newTable whether another table is in force than at the last tick
   */
  public void tick(boolean newTable) {
    long now = loop.now();
    if (newTable || (missing && now - triedAt > AGAIN.toNanos())) {
      compare();
    }
    if (!relays.isEmpty()) {
      List.copyOf(relays).forEach(relay -> relay.check(now));
    }
  }

  private void compare() {
    if (closed) {
      return;
    }
    triedAt = loop.now();
    missing = false;
    Map<Integer, String> wanted = new HashMap<>();
    for (Service service : loop.table().table().ofPorts()) {
      Integer port = service.tcp();
      if (port != null && port % loops == loop.number()) {
        wanted.put(port, service.id());
      }
    }
    for (Integer port : List.copyOf(listening.keySet())) {
      if (!wanted.containsKey(port)) {
        close(port);
      }
    }
    wanted.forEach(this::listen);
  }

  private void listen(int port, String service) {
    Listening present = listening.get(port);
    if (present != null) {
      present.service = service;
      return;
    }
    String fault = ports().listen().fault(port);
    if (fault != null) {
      failed(port, service, fault);
      return;
    }
    var bootstrap =
        mount
            .server(home)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.AUTO_READ, false)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WAITING)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel client) {
                    client.pipeline().addLast(new Arrival(port));
                  }
                });
    mount.share(bootstrap);
    ChannelFuture binding = bootstrap.bind(ports().listen().host(), port);
    listening.put(port, new Listening(service, binding.channel()));
    binding.addListener(bound -> {
      if (bound.isSuccess()) {
        ports().opened(port);
        if (mount.reusePort()) {
          Mount.preferNewest(binding.channel());
        }
      } else {
        listening.remove(port);
        failed(port, service, ports().unbound(port, bound.cause()));
      }
    });
  }

  private void failed(int port, String service, String reason) {
    missing = true;
    if (ports().failed(port, reason)) {
      LOG.warn("could not listen for the service {}: {}", service, reason);
    }
  }

  private void close(int port) {
    Listening open = listening.remove(port);
    if (open != null) {
      ports().closed(port);
      open.channel.close();
    }
  }

  private TcpPorts ports() {
    return loop.ports();
  }

  /** Takes a client's connection when it opens. */
  @Sharable
  private final class Arrival extends ChannelInboundHandlerAdapter {
    private final int port;

    Arrival(int port) {
      this.port = port;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      ctx.pipeline().remove(this);
      accept(port, ctx.channel());
    }
  }

  private void accept(int port, Channel client) {
    ClientAddress address = ClientAddress.ofRemote(client.remoteAddress());
    Listening at = listening.get(port);
    MemoryBudget.Connection counted = at == null ? null : loop.memory().open(address.network());
    if (at == null || counted == null) {
      client.close();
      return;
    }
    client.closeFuture().addListener(gone -> counted.close());
    ServiceState service = loop.table().state(at.service);
    if (service == null) {
      client.close();
      return;
    }
    ByteRelay relay = new ByteRelay(this, loop, mount, client, counted, address);
    relays.add(relay);
    loop.meters().connection(1);
    relay.begin(service);
  }

  /** A connection is over. */
  void over(ByteRelay relay) {
    if (relays.remove(relay)) {
      loop.meters().connection(-1);
      if (relays.isEmpty() && drained != null) {
        drained.tryComplete();
      }
    }
  }

  /** Closes the ports; completes when the last connection has ended. */
  public Future<Void> drain() {
    Promise<Void> ended = Promise.promise();
    home.runOnContext(turn -> {
      shut();
      drained = ended;
      if (relays.isEmpty()) {
        ended.tryComplete();
      }
    });
    return ended.future();
  }

  private void shut() {
    closed = true;
    List.copyOf(listening.keySet()).forEach(this::close);
  }

  /** Closes the ports and all connections. */
  public void close() {
    shut();
    List.copyOf(relays).forEach(ByteRelay::cut);
  }
}
