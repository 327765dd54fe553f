package io.orrery.cli.client;

import java.io.IOException;
import java.io.OutputStream;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A listener of a WebSocket that writes binary messages to a stream, until the server closes it.
 *
 * @param <T> what an end in good order tells
 */
public abstract class SocketOutput<T> implements WebSocket.Listener {
  private final CompletableFuture<T> ended = new CompletableFuture<>();
  private final OutputStream out;

  protected SocketOutput(OutputStream out) {
    this.out = out;
  }

  /** Completes with the end; fails when the connection broke off. */
  public final CompletableFuture<T> ended() {
    return ended;
  }

  /** The value of an end in good order. */
  protected abstract T closed();

  @Override
  public final @Nullable CompletionStage<?> onBinary(
      WebSocket socket, ByteBuffer data, boolean last) {
    byte[] bytes = new byte[data.remaining()];
    data.get(bytes);
    try {
      out.write(bytes);
      out.flush();
    } catch (IOException gone) {
      // The reader has closed it, which ends the connection without a fault.
      ended.complete(closed());
    }
    socket.request(1);
    return null;
  }

  @Override
  public final @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
    if (status == WebSocket.NORMAL_CLOSURE) {
      ended.complete(closed());
    } else {
      ended.completeExceptionally(new IOException(reason.isEmpty() ? "code " + status : reason));
    }
    return null;
  }

  @Override
  public final void onError(WebSocket socket, Throwable error) {
    ended.completeExceptionally(error);
  }
}
