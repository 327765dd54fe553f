package io.orrery.gateway.cluster;

import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.networking.OutboundHandler;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/**
 * The last handler of what goes out to a member: it encrypts. Before the handshake is over it
 * writes only what belongs to that, and wakes {@link MemberDecryption} when it is the other side's
 * turn.
 */
final class MemberEncryption extends OutboundHandler<ByteBuffer, ByteBuffer> {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int RECORDS = 4;

  private final SSLEngine engine;

  MemberEncryption(SSLEngine engine) {
    this.engine = engine;
  }

  @Override
  public void handlerAdded() {
    initDstBuffer(RECORDS * engine.getSession().getPacketBufferSize());
  }

  @Override
  public HandlerStatus onWrite() throws SSLException {
    dst.compact();
    try {
      synchronized (engine) {
        return write();
      }
    } finally {
      dst.flip();
    }
  }

  private HandlerStatus write() throws SSLException {
    while (true) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> MemberDecryption.runTasks(engine);
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          return HandlerStatus.BLOCKED;
        }
        case NEED_WRAP -> {
          if (isFull(engine.wrap(NOTHING, dst))) {
            return HandlerStatus.DIRTY;
          }
          channel.inboundPipeline().wakeup();
        }
        case FINISHED, NOT_HANDSHAKING -> {
          if (!src.hasRemaining()) {
            return HandlerStatus.CLEAN;
          }
          if (isFull(engine.wrap(src, dst))) {
            return HandlerStatus.DIRTY;
          }
        }
      }
    }
  }

  private static boolean isFull(SSLEngineResult result) throws SSLException {
    if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
      throw new SSLException("the other member has closed the connection");
    }
    return result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW;
  }
}
