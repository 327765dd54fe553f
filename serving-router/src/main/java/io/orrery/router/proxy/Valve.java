package io.orrery.router.proxy;

import io.netty.channel.Channel;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.streams.ReadStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A sender that can be paused at once: the stream of Vert.x, and with HTTP/1.1, where the stream is
 * all of its connection, the connection as well. Vert.x alone would go on reading until some twenty
 * pieces wait, each as large as one read: two megabytes.
 */
final class Valve implements Backlog.Source {
  private final ReadStream<?> stream;
  private final @Nullable Channel channel;
  private final Runnable moved;
  private final Consumer<Runnable> soon;
  private boolean closed;

  /**
   * @param channel null when others share the connection, which is HTTP/2's
   * @param moved the receiver took enough for more
   * @param soon runs an action after what has already arrived
   */
  Valve(ReadStream<?> stream, @Nullable Channel channel, Runnable moved, Consumer<Runnable> soon) {
    this.stream = stream;
    this.channel = channel;
    this.moved = moved;
    this.soon = soon;
  }

  /** The channel of a connection that carries one exchange at a time. */
  static @Nullable Channel alone(HttpVersion version, @Nullable Channel channel) {
    return version == HttpVersion.HTTP_2 ? null : channel;
  }

  @Override
  public void pause() {
    closed = true;
    stream.pause();
    if (channel != null) {
      channel.config().setAutoRead(false);
    }
  }

  @Override
  public void resume() {
    closed = false;
    moved.run();
    stream.resume();
    // After what Vert.x has kept: while it keeps some it has its own say about reading.
    soon.accept(this::read);
  }

  private void read() {
    if (!closed && channel != null) {
      channel.config().setAutoRead(true);
    }
  }
}
