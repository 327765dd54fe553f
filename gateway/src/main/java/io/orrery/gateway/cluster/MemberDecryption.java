package io.orrery.gateway.cluster;

import com.hazelcast.internal.networking.HandlerStatus;
import com.hazelcast.internal.networking.InboundHandler;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * The first handler of what comes in from a member: it decrypts. A record is decrypted as a whole
 * and handed on in pieces, because the handler behind it may have a small buffer.
 */
final class MemberDecryption extends InboundHandler<ByteBuffer, ByteBuffer> {
  private static final int RECORDS = 4;

  private final SSLEngine engine;

  /** The bytes that are decrypted and not handed on, ready to be read. */
  private ByteBuffer plain = ByteBuffer.allocate(0);

  MemberDecryption(SSLEngine engine) {
    this.engine = engine;
  }

  @Override
  public void handlerAdded() {
    initSrcBuffer(RECORDS * engine.getSession().getPacketBufferSize());
    plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()).flip();
  }

  /** Runs what the engine wants done before it goes on; takes some milliseconds. */
  static void runTasks(SSLEngine engine) {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }

  @Override
  public HandlerStatus onRead() throws SSLException {
    src.flip();
    try {
      synchronized (engine) {
        return read();
      }
    } finally {
      src.compact();
    }
  }

  private HandlerStatus read() throws SSLException {
    while (true) {
      handOn();
      if (plain.hasRemaining()) {
        return HandlerStatus.DIRTY;
      }
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> runTasks(engine);
        case NEED_WRAP -> {
          channel.outboundPipeline().wakeup();
          return HandlerStatus.BLOCKED;
        }
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN, FINISHED, NOT_HANDSHAKING -> {
          if (!decrypt()) {
            return HandlerStatus.CLEAN;
          }
        }
      }
    }
  }

  /** Decrypts one record; whether there was a whole one. */
  private boolean decrypt() throws SSLException {
    plain.clear();
    SSLEngineResult result = engine.unwrap(src, plain);
    plain.flip();
    if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
      channel.outboundPipeline().wakeup();
    }
    return switch (result.getStatus()) {
      case OK -> true;
      case BUFFER_UNDERFLOW -> false;
      case BUFFER_OVERFLOW -> {
        plain = ByteBuffer.allocate(2 * plain.capacity()).flip();
        yield true;
      }
      case CLOSED -> throw new SSLException("the other member has closed the connection");
    };
  }

  private void handOn() {
    int count = Math.min(plain.remaining(), dst.remaining());
    if (count > 0) {
      dst.put(dst.position(), plain, plain.position(), count);
      dst.position(dst.position() + count);
      plain.position(plain.position() + count);
    }
  }
}
