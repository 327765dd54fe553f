package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.Admission;
import io.orrery.router.policy.Admission.Admitted;
import io.orrery.router.policy.Admission.TurnedAway;
import io.orrery.router.policy.MemoryBudget;
import io.orrery.router.policy.RouterProblem;
import io.orrery.router.route.ClientAddress;
import io.orrery.router.telemetry.Meters.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a client, for as long as all that it says is understood: one request after the
 * other, each with a {@link Relay}. What comes while one is under way waits, and when there is
 * enough of it the client waits as well. At the first head that is not understood this handler
 * leaves the pipeline, and what it has not used goes on to Vert.x as if it had just come.
 */
final class Client extends ChannelInboundHandlerAdapter implements Requester, MemoryBudget.Owner {
  /** A head that comes in more pieces than that is for the other way. */
  private static final int MOST_PIECES = 16;

  /** The same for one of which so many bytes are not its end yet. */
  private static final int MOST_INCOMPLETE = 16 * 1024;

  private final Wire wire;
  private final Channel channel;
  private final ClientAddress address;
  private final ClientMemory memory;
  private @Nullable Host asked;
  private @Nullable Relay relay;

  /** The body of a request that was turned away. */
  private @Nullable Upload unwanted;

  /** What has come and has not been used. */
  private @Nullable ByteBuf rest;

  private int pieces;
  private boolean taking;
  private boolean closing;
  private boolean shuttingDown;
  private boolean slowEndpoint;
  private long idleSince;

  Client(Wire wire, Channel channel) {
    this.wire = wire;
    this.channel = channel;
    this.address = ClientAddress.ofRemote(channel.remoteAddress());
    MemoryBudget.Connection known = Mount.counted(channel);
    this.memory =
        new ClientMemory(known == null ? wire.loop().memory().uncounted() : known, this, channel);
    this.idleSince = wire.now();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    wire.add(this);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    if (rest != null) {
      in = Bytes.join(ctx.alloc(), rest, in);
      rest = null;
    }
    if (taking) {
      rest = in;
    } else {
      take(in);
    }
  }

  /** Makes of what has come what can be made of it now. */
  private void take(ByteBuf in) {
    taking = true;
    boolean goesOn = true;
    try {
      while (goesOn && in.isReadable() && !closing) {
        goesOn = step(in);
      }
    } finally {
      taking = false;
      if (closing || !in.isReadable()) {
        in.release();
      } else {
        rest = in;
      }
    }
    if (relay != null) {
      relay.flushBody();
    }
    throttle();
  }

  /** Whether something was used, and there may be more to use. */
  private boolean step(ByteBuf in) {
    int before = in.readerIndex();
    Relay running = relay;
    if (running != null) {
      running.take(in);
      return relay != running || in.readerIndex() > before;
    }
    if (unwanted != null) {
      if (!unwanted.flow(in, null)) {
        close();
      } else if (unwanted.ended()) {
        unwanted = null;
      }
      return true;
    }
    // Who asks on and on and reads nothing would have all the answers kept here.
    return channel.isWritable() && begin(in);
  }

  /** Reads a head and sets out. */
  private boolean begin(ByteBuf in) {
    RequestHead head = wire.requestHead();
    int end = wire.read(head, in);
    if (end == MessageHead.INCOMPLETE
        && ++pieces < MOST_PIECES
        && in.readableBytes() < MOST_INCOMPLETE) {
      return false;
    }
    pieces = 0;
    if (end < 0) {
      handOver(head.forVertx(in));
      return false;
    }
    Host host = asked;
    if (host == null || !host.isNamedBy(head)) {
      host = new Host(ForwardedHeaders.ofHttp1(address, wire.scheme(), head.authority()));
      asked = host;
    }
    head.from(address, wire.scheme());
    LiveTable table = wire.loop().table();
    LocalService owner = host.owner(wire, table, head);
    Admission admission =
        owner == null || !owner.forwards(head)
            ? null
            : owner.admit(table, host.introduction().authority(), head, memory.connection());
    if (owner == null || admission == null) {
      handOver(head.forVertx(in));
      return false;
    }
    in.skipBytes(end);
    idleSince = wire.now();
    switch (admission) {
      case Admitted(ServiceState target) -> {
        Relay setOut = owner.relay(this, host.introduction(), table, target, head);
        relay = setOut;
        setOut.begin();
      }
      case TurnedAway(Refusal why, RouterProblem denial) -> {
        wire.loop().meters().refused(why);
        deny(denial, head.asksForHead(), head.closes());
        unwanted = head.length() == 0 ? null : new Upload(head.length());
      }
    }
    return true;
  }

  /** Leaves the connection to Vert.x, from this request on. */
  private void handOver(ByteBuf all) {
    wire.remove(this);
    memory.forget();
    wire.leave(channel, idleSince);
    wire.loop().meters().handedOver();
    closing = true;
    channel.config().setAutoRead(true);
    ChannelHandlerContext before = Handshake.leaveToVertx(wire, this, channel);
    before.fireChannelRead(all);
    before.fireChannelReadComplete();
  }

  @Override
  public void more() {
    if (!taking && rest != null) {
      ByteBuf in = rest;
      rest = null;
      take(in);
    }
  }

  @Override
  public boolean taking() {
    return taking;
  }

  @Override
  public void done() {
    relay = null;
    slowEndpoint = false;
    idleSince = wire.now();
    if (shuttingDown && !closing) {
      closeAfter();
    }
    if (taking) {
      return;
    }
    if (rest == null) {
      throttle();
    } else {
      more();
    }
  }

  @Override
  public void holdBack(boolean hold) {
    slowEndpoint = hold;
    throttle();
  }

  private void throttle() {
    memory.keep((rest == null ? 0 : rest.capacity()) + (relay == null ? 0 : relay.kept()));
    boolean on =
        !slowEndpoint
            && (rest == null || (relay == null && channel.isWritable()))
            && (relay == null || memory.hasRoom());
    if (channel.config().isAutoRead() != on && !closing) {
      channel.config().setAutoRead(on);
    }
  }

  @Override
  public boolean hasRoom() {
    return memory.hasRoom();
  }

  /** Looks how many bytes wait for the client; whether some do. */
  boolean account() {
    boolean waited = memory.waits();
    boolean waits = memory.account();
    if (waits && !waited) {
      wire.waits(this);
    }
    return waits;
  }

  /** There is memory again. */
  @Override
  public void resume() {
    if (relay != null) {
      relay.clientWritable(channel.isWritable());
    }
    throttle();
  }

  /** It takes too little of what waits for it, which TLS would let go first. */
  @Override
  public void cut() {
    closing = true;
    Handshake.beforeTls(this, channel).close();
  }

  void write(ByteBuf bytes) {
    memory.wrote(bytes.readableBytes());
    channel.write(bytes, channel.voidPromise());
  }

  void flush() {
    channel.flush();
    account();
  }

  @Override
  public void deny(RouterProblem denial, boolean silent, boolean last) {
    boolean ends = last || wire.loop().leaving();
    write(HeadWriter.denial(channel.alloc(), denial, silent, ends, wire.loop().date()));
    flush();
    if (ends) {
      closeAfter();
    }
  }

  /** Closes when what was written has been sent; what still comes is not looked at. */
  void closeAfter() {
    closing = true;
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void close() {
    closing = true;
    ChannelHandlerContext here = channel.pipeline().context(this);
    if (here == null) {
      channel.close();
    } else {
      // Past the handlers of Vert.x behind this one, which would flush first.
      here.close();
    }
  }

  Channel channel() {
    return channel;
  }

  @Override
  public ByteBufAllocator alloc() {
    return channel.alloc();
  }

  @Override
  public boolean isWritable() {
    return channel.isWritable();
  }

  @Override
  public boolean isRead() {
    return channel.config().isAutoRead();
  }

  @Override
  public boolean takesChunks() {
    return true;
  }

  @Override
  public void interim(ResponseHead head) {
    write(HeadWriter.response(channel.alloc(), head, false, false, 0, wire.loop().date()));
    flush();
  }

  @Override
  public Answer answer(ResponseHead head, boolean bodiless, boolean last) {
    return new MessageAnswer(this, head, bodiless, last, wire.loop().date());
  }

  @Override
  public ClientAddress address() {
    return address;
  }

  /** Whether nothing has come of it for too long. */
  boolean tooIdle(long now) {
    return relay == null && now - idleSince > Wire.MOST_IDLE.toNanos();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    wire.remove(this);
    closing = true;
    memory.forget();
    if (relay != null) {
      relay.clientGone();
    }
    if (rest != null) {
      rest.release();
      rest = null;
    }
    ctx.fireChannelInactive();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    account();
    if (relay != null) {
      relay.clientWritable(channel.isWritable());
    } else if (channel.isWritable() && !taking) {
      more();
      throttle();
    }
  }

  /** Vert.x knows nothing of this connection yet, so nothing of it is Vert.x's. */
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {}

  /**
   * The one event that Vert.x sends is that it shuts down. It would close at once; we do not. A
   * client that ends its TLS is gone, as one that ends its connection.
   */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    ReferenceCountUtil.release(event);
    shuttingDown = true;
    if (relay == null || event instanceof SslCloseCompletionEvent) {
      close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }
}
