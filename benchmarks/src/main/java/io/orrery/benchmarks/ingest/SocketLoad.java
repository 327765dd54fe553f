package io.orrery.benchmarks.ingest;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;

/** Connections to the server, on one thread. */
final class SocketLoad implements IngestLoad {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final Selector selector = Selector.open();
  private final List<Sender> senders;
  private final IngestTally tally;

  SocketLoad(List<Sender> senders, IngestTally tally) throws IOException {
    this.senders = List.copyOf(senders);
    this.tally = tally;
    for (Sender sender : senders) {
      sender.start(selector);
    }
  }

  @Override
  public void run(Duration time) throws IOException {
    tally.begin();
    for (Sender sender : senders) {
      sender.resume(selector);
    }
    hear(time);
  }

  private void hear(Duration time) throws IOException {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      selector.select(Math.max(1, left / 1_000_000));
      for (SelectionKey key : selector.selectedKeys()) {
        ((Sender) key.attachment()).ready(key);
      }
      selector.selectedKeys().clear();
    }
  }

  @Override
  public void finish() throws IOException {
    tally.end();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (senders.stream().anyMatch(Sender::waits)) {
      if (System.nanoTime() > end) {
        throw new IOException("the server does not answer any more");
      }
      hear(Duration.ofMillis(20));
    }
  }

  @Override
  public long sent() {
    return senders.stream().mapToLong(Sender::durable).sum();
  }

  @Override
  public void close() throws IOException {
    for (Sender sender : senders) {
      sender.channel.close();
    }
    selector.close();
  }
}
