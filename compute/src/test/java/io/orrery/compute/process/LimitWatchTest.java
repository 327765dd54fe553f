package io.orrery.compute.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.process.ProcessTable.Listing;
import io.orrery.compute.process.Processes.Found;
import io.orrery.core.process.PersonLimits;
import io.orrery.core.process.PersonPrograms;
import io.orrery.core.process.ProgramLimits;
import io.orrery.core.process.Sandbox;
import io.orrery.core.time.VirtualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LimitWatchTest {
  private static final String MARK = "mine";

  @TempDir Path directory;
  private final List<Found> processes = new ArrayList<>();
  private final ProcessTable table = new ProcessTable(() -> List.copyOf(processes));
  private final VirtualClock clock = new VirtualClock(Instant.EPOCH.plusSeconds(100));

  private void process(long pid, long parent, int threads, String mark) {
    processes.add(new Found(pid, 1, 1, 1, parent, threads, mark));
  }

  private LimitWatch watch(ProgramLimits limits) {
    return new LimitWatch(Sandbox.NONE.with(limits, PersonPrograms.UNLIMITED), clock, table, MARK);
  }

  @Test
  void programsOfOnePersonAreAddedUpOverAllWatchers() throws IOException {
    Sandbox sandbox =
        Sandbox.NONE.with(
            new ProgramLimits(20, 10, Long.MAX_VALUE),
            new PersonPrograms(new PersonLimits(30, Long.MAX_VALUE)));
    LimitWatch one = new LimitWatch(sandbox, clock, table, MARK);
    LimitWatch other = new LimitWatch(sandbox, clock, table, "other");
    process(10, 1, 14, MARK);
    process(20, 1, 16, "other");
    one.countFor("ann");
    other.countFor("ann");
    assertThat(one.excess(10, List.of())).isNull();
    assertThat(other.excess(20, List.of())).isNull();
    assertThatThrownBy(() -> one.admit("ann")).hasMessageContaining("auth.personProcesses is 30");
    one.admit("ben");
    process(21, 20, 1, "other");
    clock.advance(Duration.ofSeconds(1));
    assertThat(one.excess(10, List.of())).isNull();
    assertThat(other.excess(20, List.of()))
        .contains("the programs of ann had 31 processes and threads");
    other.close();
    one.admit("ann");
  }

  @Test
  void aProgramIsWhatDescendsFromItsFirstProcessOrCarriesItsMark() throws IOException {
    process(10, 1, 1, MARK);
    process(11, 10, 3, MARK);
    process(12, 11, 1, null); // It has cleared its environment.
    process(13, 12, 2, null);
    process(20, 1, 4, MARK); // Its parent has ended.
    process(21, 20, 1, null);
    process(30, 1, 100, "theirs");
    Listing listing = table.take();
    assertThat(listing.program(MARK, 10))
        .extracting(Found::pid)
        .containsExactlyInAnyOrder(11L, 12L, 13L, 20L, 21L, 10L);
    assertThat(listing.program("theirs", 30)).extracting(Found::pid).containsExactly(30L);
  }

  @Test
  void processesAreCountedEachSecondAndNothingIsWithoutLimits() throws IOException {
    LimitWatch watch = watch(new ProgramLimits(20, 10, Long.MAX_VALUE));
    process(10, 1, 20, MARK);
    assertThat(watch.excess(10, List.of())).isNull();
    process(11, 10, 1, MARK);
    assertThat(watch.excess(10, List.of())).isNull();
    clock.advance(Duration.ofSeconds(1));
    assertThat(watch.excess(10, List.of())).contains("it had 21 processes and threads");
    assertThat(watch(ProgramLimits.NONE).excess(10, List.of())).isNull();
  }

  @Test
  void aProgramThatMakesEachLookSlowIsCountedEveryFiveSecondsAllTheSame() throws IOException {
    ProcessTable slow =
        new ProcessTable(() -> {
          clock.advance(Duration.ofSeconds(10));
          return List.copyOf(processes);
        });
    ProgramLimits limits = new ProgramLimits(20, 10, Long.MAX_VALUE);
    LimitWatch watch =
        new LimitWatch(Sandbox.NONE.with(limits, PersonPrograms.UNLIMITED), clock, slow, MARK);
    process(10, 1, 20, MARK);
    assertThat(watch.excess(10, List.of())).isNull();
    process(11, 10, 1, MARK);
    clock.advance(Duration.ofSeconds(5));
    assertThat(watch.excess(10, List.of())).contains("it had 21 processes and threads");
  }

  @Test
  void bytesOfDirectoriesAreAddedInBlocksAndLinksAreNotFollowed() throws IOException {
    Path one = Files.createDirectories(directory.resolve("one/below"));
    Path two = Files.createDirectories(directory.resolve("two"));
    Files.write(one.resolve("large"), new byte[60_000]);
    Files.createSymbolicLink(two.resolve("link"), one.resolve("large"));
    LimitWatch watch = watch(new ProgramLimits(20, 10, 80_000));
    List<Path> all = List.of(directory.resolve("one"), two, directory.resolve("gone"));
    assertThat(watch.excess(10, all)).isNull();
    for (int i = 0; i < 10; i++) {
      Files.write(two.resolve("small-" + i), new byte[] {1});
    }
    assertThat(watch.excess(10, all)).as("looked at a moment ago").isNull();
    clock.advance(Duration.ofSeconds(5));
    assertThat(watch.excess(10, all)).contains("80,000 bytes of workspaces.megabytes");
  }
}
