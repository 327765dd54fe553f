package io.orrery.benchmarks.ingest;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Servers that are measured in turns, in another order each round; who is not in turn stands still.
 * All of them end with it, and with this process.
 */
final class Contest implements AutoCloseable {
  private final List<Subject> subjects = new CopyOnWriteArrayList<>();
  private final List<IngestContender> contenders = new ArrayList<>();
  private final Thread hook =
      new Thread(() -> subjects.forEach(subject -> subject.process().destroyForcibly()));

  Contest() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Takes in a server that runs, and warms it up.
   *
   * @param batch points that are sent to it together
   */
  void join(Subject subject, int batch, Duration warmUp) throws IOException, InterruptedException {
    subjects.add(subject);
    IngestContender contender = new IngestContender(subject, batch);
    contenders.add(contender);
    contender.warmUp(warmUp);
    contender.pause();
  }

  /** Gives each its turn, so many times. */
  void run(int rounds, Duration window) throws IOException, InterruptedException {
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < contenders.size(); i++) {
        IngestContender contender = contenders.get((round + i) % contenders.size());
        contender.resume();
        contender.turn(window);
        contender.pause();
      }
    }
  }

  /** What came out, in the order in which they came. */
  List<ServerTotals> standings() throws IOException, InterruptedException {
    List<ServerTotals> all = new ArrayList<>();
    for (IngestContender contender : contenders) {
      contender.resume();
      all.add(contender.standing());
      contender.pause();
    }
    return all;
  }

  @Override
  public void close() throws IOException {
    for (IngestContender contender : contenders) {
      contender.close();
    }
    for (Subject subject : subjects) {
      subject.close();
    }
    Runtime.getRuntime().removeShutdownHook(hook);
  }
}
