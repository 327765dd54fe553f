package io.orrery.router.wire;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Stream;
import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.Admission;
import io.orrery.router.policy.Admission.Admitted;
import io.orrery.router.policy.Admission.TurnedAway;
import io.orrery.router.policy.MemoryBudget;
import io.orrery.router.policy.RouterProblem;
import io.orrery.router.route.ClientAddress;
import io.orrery.router.telemetry.Meters.Refusal;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * The plain requests of a client's connection of HTTP/2: those whose heads can be said in HTTP/1.1
 * and are understood there, with no body or one that is gathered, to services whose requests are
 * forwarded as bytes. Each is relayed as one of HTTP/1.1, beside all others of the event loop.
 * Vert.x reads the connection and keeps its streams; the answers are written past it, as frames.
 */
public final class Streams {
  /** Hears of the requests that are taken. */
  public interface Listener {
    /** One is at work. */
    void begun();

    /** It is over. */
    void over();
  }

  private final Wire wire;
  private final Http2ConnectionHandler http2;
  private final ChannelHandlerContext codec;
  private final ClientAddress address;
  private final MemoryBudget.Connection memory;
  private final Listener listener;
  private final StreamHeads heads;

  /** The request with which the connection began as one of HTTP/1.1, which has no frames. */
  private final boolean upgraded;

  private @Nullable Host asked;

  Streams(
      Wire wire,
      Http2ConnectionHandler http2,
      ChannelHandlerContext codec,
      ClientAddress address,
      MemoryBudget.Connection memory,
      Listener listener) {
    this.wire = wire;
    this.http2 = http2;
    this.codec = codec;
    this.address = address;
    this.memory = memory;
    this.listener = listener;
    this.heads = wire.streamHeads();
    this.upgraded = http2.connection().numActiveStreams() > 0;
  }

  /**
   * Takes a request, as soon as its head has come.
   *
   * @return false when the other way is to answer it, which may do with it as if it had just come
   */
  public boolean take(HttpServerRequest request) {
    RequestHead head = wire.requestHead();
    int stream = request.streamId();
    if ((upgraded && stream == 1)
        || !heads.read(request, head)
        || !isWhole(stream, head.length())) {
      return false;
    }
    Host host = asked;
    if (host == null || !host.isNamedBy(head)) {
      host = new Host(ForwardedHeaders.ofHttp2(address, wire.scheme(), head.authority()));
      asked = host;
    }
    head.from(address, wire.scheme());
    LiveTable table = wire.loop().table();
    LocalService owner = host.owner(wire, table, head);
    Admission admission =
        owner == null || !owner.forwards(head)
            ? null
            : owner.admit(table, host.introduction().authority(), head, memory);
    if (owner == null || admission == null) {
      return false;
    }
    StreamRequest taken = new StreamRequest(this, request, head.length());
    switch (admission) {
      case Admitted(ServiceState target) ->
          taken.begin(owner.relay(taken, host.introduction(), table, target, head));
      case TurnedAway(Refusal why, RouterProblem denial) -> {
        wire.loop().meters().refused(why);
        taken.deny(denial, head.asksForHead(), false);
      }
    }
    return true;
  }

  /** Whether there is no body, which the end of the stream tells, or it is gathered. */
  private boolean isWhole(int stream, long length) {
    if (length != 0) {
      return Upload.isWhole(length);
    }
    Http2Stream open = http2.connection().stream(stream);
    return open != null && open.state() == Http2Stream.State.HALF_CLOSED_REMOTE;
  }

  Wire wire() {
    return wire;
  }

  Http2ConnectionHandler http2() {
    return http2;
  }

  /** Where the codec's frames are written. */
  ChannelHandlerContext codec() {
    return codec;
  }

  ClientAddress address() {
    return address;
  }

  MemoryBudget.Connection memory() {
    return memory;
  }

  Listener listener() {
    return listener;
  }
}
