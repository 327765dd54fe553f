package io.orrery.benchmarks.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ContestTest {
  private static final Duration WARM_UP = Duration.ofSeconds(7);
  private static final Duration WINDOW = Duration.ofSeconds(3);

  private final List<Sleeper> sleepers = new ArrayList<>();
  private final List<String> turns = new ArrayList<>();

  @Test
  void theOrderIsAnotherOneEachRound() throws Exception {
    try (Contest contest = contest("a", "b", "c")) {
      contest.run(3, WINDOW);
    }
    assertThat(turns).containsExactly("a", "b", "c", "b", "c", "a", "c", "a", "b");
  }

  @Test
  void whoIsNotInTurnStandsStill() throws Exception {
    try (Contest contest = contest("a", "b")) {
      contest.run(1, WINDOW);
      assertThat(sleepers).allMatch(sleeper -> sleeper.othersStoodStill);
    }
  }

  @Test
  void whatWasAcknowledgedAndIsNotThereIsLost() throws Exception {
    try (Contest contest = contest("a")) {
      contest.run(2, WINDOW);
      ServerTotals standing = contest.standings().getFirst();
      assertThat(standing.rounds()).hasSize(2);
      assertThat(standing.lost()).hasValue(Sleeper.SENT - Sleeper.KEPT);
    }
  }

  @Test
  void allEndWithIt() throws Exception {
    contest("a", "b").close();
    assertThat(sleepers).noneMatch(sleeper -> sleeper.sleep.isAlive());
  }

  private Contest contest(String... names) throws IOException, InterruptedException {
    Contest contest = new Contest();
    for (String name : names) {
      Sleeper sleeper = new Sleeper(name);
      sleepers.add(sleeper);
      contest.join(sleeper, 1, WARM_UP);
    }
    return contest;
  }

  /** A subject whose process does nothing; its load says whose turn it is. */
  private final class Sleeper implements Subject {
    static final long SENT = 5;
    static final long KEPT = 3;

    private final String name;
    private final Process sleep = new ProcessBuilder("sleep", "600").start();
    private boolean othersStoodStill;

    Sleeper(String name) throws IOException {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public boolean syncs() {
      return true;
    }

    @Override
    public ProcessHandle process() {
      return sleep.toHandle();
    }

    @Override
    public IngestLoad load(int batch, IngestTally tally) {
      return new IngestLoad() {
        @Override
        public void run(Duration time) throws IOException {
          tally.add(1, 1_000);
          if (time.equals(WINDOW)) {
            turns.add(name);
            othersStoodStill = true;
            for (Sleeper other : sleepers) {
              othersStoodStill &= other == Sleeper.this || other.standsStill();
            }
          }
        }

        @Override
        public void finish() {}

        @Override
        public long sent() {
          return SENT;
        }

        @Override
        public void close() {}
      };
    }

    /** A signal is there at once or a moment later. */
    private boolean standsStill() throws IOException {
      long end = System.nanoTime() + 5_000_000_000L;
      while (System.nanoTime() < end) {
        String stat = Files.readString(Path.of("/proc/" + sleep.pid() + "/stat"));
        if (stat.contains(") T ")) {
          return true;
        }
        Thread.onSpinWait();
      }
      return false;
    }

    @Override
    public OptionalLong kept() {
      return OptionalLong.of(KEPT);
    }

    @Override
    public void close() {
      sleep.destroyForcibly().onExit().join();
    }
  }
}
