package io.orrery.benchmarks.ingest;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A connection that sends points and learns when they are durable. */
abstract class Sender {
  private static final int MOST_ANSWER = 16 << 10;

  final SocketChannel channel;
  private final ByteBuffer in = ByteBuffer.allocate(MOST_ANSWER);
  private final IngestTally tally;

  /** What is being sent, ready to be written. */
  private ByteBuffer out = ByteBuffer.allocate(0);

  private long durable;

  Sender(InetSocketAddress server, IngestTally tally) throws IOException {
    this.channel = SocketChannel.open(server);
    this.tally = tally;
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  /** Begins to send, on a selector. */
  final void start(Selector selector) throws IOException {
    channel.configureBlocking(false);
    send(channel.register(selector, SelectionKey.OP_READ, this));
  }

  /** Begins again when it had stopped. */
  final void resume(Selector selector) throws IOException {
    send(channel.keyFor(selector));
  }

  /** Points that were acknowledged so far. */
  final long durable() {
    return durable;
  }

  /** Whether an answer is still to come. */
  abstract boolean waits();

  /** The next bytes to send, or an empty buffer when an answer must come first. */
  abstract ByteBuffer next();

  /** Reads whole answers from the front of a buffer, calling {@link #acknowledged}. */
  abstract void read(ByteBuffer answers) throws IOException;

  /** So many more points are durable, sent so long ago. */
  final void acknowledged(long points, long sentAt) {
    durable += points;
    tally.add(points, System.nanoTime() - sentAt);
  }

  final void ready(SelectionKey key) throws IOException {
    if (key.isWritable()) {
      key.interestOps(SelectionKey.OP_READ);
    }
    if (key.isReadable()) {
      if (channel.read(in) < 0) {
        throw new IOException("the server closed a connection");
      }
      in.flip();
      read(in);
      in.compact();
    }
    send(key);
  }

  private void send(SelectionKey key) throws IOException {
    sendMore();
    if (out.hasRemaining()) {
      key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
    }
  }

  /** Sends what may be sent, as far as the connection takes it. */
  final void sendMore() throws IOException {
    do {
      if (!out.hasRemaining()) {
        out = tally.over() ? ByteBuffer.allocate(0) : next();
      }
      if (!out.hasRemaining()) {
        return;
      }
      channel.write(out);
    } while (!out.hasRemaining());
  }
}
