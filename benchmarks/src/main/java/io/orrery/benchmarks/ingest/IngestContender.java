package io.orrery.benchmarks.ingest;

import io.orrery.benchmarks.child.Signal;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A server and its load, which take their turns with others. */
final class IngestContender implements Closeable {
  /** Load before a turn counts: what stood still has come to itself. */
  private static final Duration LEAD_IN = Duration.ofSeconds(1);

  private final Subject subject;
  private final IngestTally tally = new IngestTally();
  private final IngestLoad load;
  private final List<Round> rounds = new ArrayList<>();

  /**
   * @param batch points that are sent together
   */
  IngestContender(Subject subject, int batch) throws IOException, InterruptedException {
    this.subject = subject;
    this.load = subject.load(batch, tally);
  }

  void warmUp(Duration time) throws IOException, InterruptedException {
    load.run(time);
  }

  void turn(Duration window) throws IOException, InterruptedException {
    load.run(LEAD_IN);
    double before = cpuMicros();
    long start = System.nanoTime();
    tally.clear();
    tally.count(true);
    load.run(window);
    tally.count(false);
    double seconds = (System.nanoTime() - start) / 1e9;
    rounds.add(Round.of(tally, seconds, cpuMicros() - before));
  }

  /** Its children's is not counted. */
  private double cpuMicros() {
    return subject.process().info().totalCpuDuration().orElseThrow().toNanos() / 1e3;
  }

  /**
   * Stands still with nothing on its way: what it would do in the background is not in the way of
   * others.
   */
  void pause() throws IOException, InterruptedException {
    load.finish();
    Signal.STOP.send(subject.process());
  }

  void resume() throws IOException {
    Signal.CONT.send(subject.process());
  }

  /** What all turns have shown, when it has been paused after the last. */
  ServerTotals standing() throws IOException, InterruptedException {
    OptionalLong kept = subject.kept();
    OptionalLong lost =
        kept.isPresent() ? OptionalLong.of(load.sent() - kept.getAsLong()) : OptionalLong.empty();
    return new ServerTotals(subject.name(), subject.syncs(), List.copyOf(rounds), lost);
  }

  /** Its server goes on. */
  @Override
  public void close() throws IOException {
    resume();
    load.close();
  }
}
