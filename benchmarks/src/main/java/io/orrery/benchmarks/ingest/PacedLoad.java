package io.orrery.benchmarks.ingest;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;

/** Connections that each send so many points a second, in turns, whatever the server does. */
final class PacedLoad implements IngestLoad {
  private final Selector selector = Selector.open();
  private final List<SocketSender> senders;
  private final IngestTally tally;
  private int pace;
  private long turns;

  /**
   * @param pace points a second of each
   */
  PacedLoad(List<SocketSender> senders, int pace, IngestTally tally) throws IOException {
    this.senders = List.copyOf(senders);
    this.pace = pace;
    this.tally = tally;
    for (SocketSender sender : senders) {
      sender.allow(0);
      sender.start(selector);
    }
  }

  /** From now on each sends so many points a second. */
  void pace(int pointsPerSecond) {
    pace = pointsPerSecond;
  }

  @Override
  public void run(Duration time) throws IOException {
    long start = System.nanoTime();
    long before = turns;
    for (long passed = 0; passed < time.toNanos(); passed = System.nanoTime() - start) {
      long due = before + passed * senders.size() * pace / 1_000_000_000L;
      while (turns < due) {
        senders.get((int) (turns++ % senders.size())).allow(1);
      }
      hear(1);
    }
  }

  private void hear(int millis) throws IOException {
    selector.select(millis);
    for (SelectionKey key : selector.selectedKeys()) {
      ((Sender) key.attachment()).ready(key);
    }
    selector.selectedKeys().clear();
  }

  @Override
  public void finish() throws IOException {
    tally.end();
    while (senders.stream().anyMatch(Sender::waits)) {
      hear(20);
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
