package io.orrery.compute.runtime.replica;

import io.orrery.core.workload.Probe;
import io.vertx.core.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The connection of one probe. It is opened, asked and closed without blocking, by the thread of
 * its {@link ReplicaProber} alone. What follows the line of the answer's status is read and
 * dropped, so that a program that is still writing meets no reset.
 */
final class ProbeConnection {
  private static final int FIRST_GOOD = 200;
  private static final int LAST_GOOD = 399;

  /** Bytes of an answer before its status, which informational answers may come before. */
  private static final int MOST_HEAD = 8 << 10;

  /** Bytes after which a program may meet a reset. */
  private static final int MOST_DROPPED = 256 << 10;

  private static final Pattern STATUS =
      Pattern.compile("HTTP/1\\.[01] ([0-9]{3})(?: [^\\n]*)?\\r?\\n");

  /** Possessive: a program must not choose how deep the stack of the matcher becomes. */
  private static final Pattern INFORMATION =
      Pattern.compile("HTTP/1\\.[01] 1[0-9]{2}[^\\n]*\\n(?:[^\\r\\n][^\\n]*+\\n)*+\\r?\\n");

  private final Probe probe;
  private final String host;
  private final int port;
  private final Promise<Void> result = Promise.promise();
  private final StringBuilder head = new StringBuilder();
  private @Nullable SocketChannel channel;
  private @Nullable ByteBuffer request;
  private long deadline;
  private int dropped;

  /**
   * @param host an address, without brackets
   */
  ProbeConnection(Probe probe, String host, int port) {
    this.probe = probe;
    this.host = host;
    this.port = port;
  }

  Promise<Void> result() {
    return result;
  }

  /** The instant at which it is given up, by {@link System#nanoTime}. */
  long deadline() {
    return deadline;
  }

  /** Opens the connection. */
  void open(Selector selector, long now) {
    deadline = now + Math.max(1, probe.timeout().toMillis()) * 1_000_000;
    try {
      SocketChannel opened = SocketChannel.open();
      channel = opened;
      opened.configureBlocking(false);
      if (opened.connect(new InetSocketAddress(InetAddress.ofLiteral(host), port))) {
        connected(opened.register(selector, 0, this));
      } else {
        opened.register(selector, SelectionKey.OP_CONNECT, this);
      }
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  /** Goes on with what is possible now. */
  void goOn(SelectionKey key, ByteBuffer buffer) {
    SocketChannel open = Objects.requireNonNull(channel);
    try {
      if (key.isConnectable() && open.finishConnect()) {
        connected(key);
      } else if (key.isWritable()) {
        write(key, open);
      } else if (key.isReadable()) {
        read(open, buffer);
      }
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  private void connected(SelectionKey key) throws IOException {
    String path = probe.path();
    if (path == null) {
      result.tryComplete();
      close();
      return;
    }
    String name = host.indexOf(':') < 0 ? host : "[" + host + "]";
    request =
        StandardCharsets.UTF_8.encode(
            "GET %s HTTP/1.1\r\nHost: %s:%d\r\nConnection: close\r\n\r\n"
                .formatted(path, name, port));
    write(key, Objects.requireNonNull(channel));
  }

  private void write(SelectionKey key, SocketChannel open) throws IOException {
    ByteBuffer rest = Objects.requireNonNull(request);
    open.write(rest);
    key.interestOps(rest.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
  }

  private void read(SocketChannel open, ByteBuffer buffer) throws IOException {
    int count = open.read(buffer.clear());
    if (result.future().isComplete()) {
      dropped += Math.max(0, count);
      if (count < 0 || dropped > MOST_DROPPED) {
        close();
      }
      return;
    }
    if (count < 0) {
      throw new IOException("the connection was closed without an answer");
    }
    head.append(StandardCharsets.ISO_8859_1.decode(buffer.flip()));
    if (head.length() > MOST_HEAD + buffer.capacity()) {
      throw new IOException("its answer has no status within %d bytes".formatted(MOST_HEAD));
    }
    for (Matcher before = INFORMATION.matcher(head); before.lookingAt(); before.reset(head)) {
      head.delete(0, before.end());
    }
    Matcher line = STATUS.matcher(head);
    if (line.lookingAt() && line.group(1).charAt(0) != '1') {
      take(Integer.parseInt(line.group(1)));
    } else if (head.length() > MOST_HEAD || !mayBeHttp()) {
      throw new IOException("its answer is no HTTP");
    }
  }

  private boolean mayBeHttp() {
    String begin = "HTTP/1.";
    int length = Math.min(begin.length(), head.length());
    return begin.startsWith(head.substring(0, length));
  }

  private void take(int status) {
    if (status >= FIRST_GOOD && status <= LAST_GOOD) {
      result.tryComplete();
    } else {
      result.tryFail(new Unready(sentence("it answered " + status), true));
    }
    head.setLength(0);
  }

  /** Gives it up: its time is over. */
  void expire() {
    result.tryFail(
        new Unready(sentence("no answer within " + probe.timeout().toMillis() + " ms"), false));
    close();
  }

  /** Gives it up: nothing is probed any more. */
  void abandon() {
    result.tryFail(new Unready("the server is closing", false));
    close();
  }

  private void fail(Exception e) {
    String text = String.valueOf(e.getMessage());
    result.tryFail(
        new Unready(sentence(text.contains("refused") ? "nothing listens there" : text), false));
    close();
  }

  private String sentence(String why) {
    return probe.path() == null
        ? "no connection to port %d: %s".formatted(port, why)
        : "GET %s on port %d: %s".formatted(probe.path(), port, why);
  }

  private void close() {
    SocketChannel open = channel;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        result.tryFail(e);
      }
    }
  }

  /** A replica that is not ready, with the reason. */
  static final class Unready extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean answered;

    Unready(String message, boolean answered) {
      super(message, null, false, false);
      this.answered = answered;
    }

    /** Whether its program answered, only not as it should. */
    boolean answered() {
      return answered;
    }
  }
}
