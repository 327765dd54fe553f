package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.orrery.router.health.ServiceState;
import io.orrery.router.route.Balance;
import io.orrery.router.route.RequestKey;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a request that are kept when its head has been read and is forgotten.
 *
 * @param bytes what is sent: the head as an endpoint gets it, and behind it all of a small body
 * @param head bytes of the head
 * @param idempotent whether it may be sent twice
 * @param askedForHead whether its answer has no body
 * @param closes whether the client's connection ends with its answer
 * @param key of the head, by which its endpoint is found; null for none
 * @param cost what it adds to the load of its endpoint besides itself
 * @param note null when it will not be written down
 */
record Request(
    ByteBuf bytes,
    int head,
    boolean idempotent,
    boolean askedForHead,
    boolean closes,
    @Nullable String key,
    int cost,
    @Nullable Note note) {

  /** Bytes for which room is made before they come: a body that is announced need not follow. */
  private static final int AHEAD = 4 * 1024;

  /** The parts of a request that the access log needs. */
  record Note(String method, String authority, String path) {}

  /** The key by which an endpoint is found, when all of a small body has come. */
  @Nullable String key(Balance balance) {
    RequestKey.BodyPrefix body = balance.bodyKey();
    return body == null ? key : body.of(at -> bytes.getByte(head + at), bytes.writerIndex() - head);
  }

  /**
   * Keeps what is needed of a head.
   *
   * @param owner of the host that was asked for
   */
  static Request of(
      Wire wire,
      Requester client,
      ForwardedHeaders introduction,
      ServiceState owner,
      ServiceState target,
      RequestHead head) {
    int body = Upload.isWhole(head.length()) ? (int) head.length() : 0;
    int room = Math.min(body, AHEAD);
    ByteBufAllocator buffers = client.alloc();
    ByteBuf bytes =
        owner.rewrites()
            ? HeadWriter.rewritten(buffers, head, owner, wire.loop().guard(), introduction, room)
            : HeadWriter.request(buffers, head, introduction, room);
    return new Request(
        bytes,
        bytes.readableBytes(),
        head.idempotent(),
        head.asksForHead(),
        head.closes(),
        target.balance().keyOf(head),
        target.balance().costOf(head),
        wire.loop().logs() ? new Note(head.method(), introduction.authority(), head.path()) : null);
  }
}
