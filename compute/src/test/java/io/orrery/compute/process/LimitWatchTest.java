package io.orrery.compute.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.process.ProcessTable.Listing;
import io.orrery.compute.process.Processes.Found;
import io.orrery.core.process.ProgramLimits;
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
    assertThat(listing.tasks(MARK, 10)).isEqualTo(12);
    assertThat(listing.tasks("theirs", 30)).isEqualTo(100);
  }

  @Test
  void processesAreCountedEachSecondAndNothingIsWithoutLimits() throws IOException {
    LimitWatch watch =
        new LimitWatch(new ProgramLimits(20, 10, Long.MAX_VALUE), clock, table, MARK);
    process(10, 1, 20, MARK);
    assertThat(watch.excess(10, List.of())).isNull();
    process(11, 10, 1, MARK);
    assertThat(watch.excess(10, List.of())).isNull();
    clock.advance(Duration.ofSeconds(1));
    assertThat(watch.excess(10, List.of())).contains("it had 21 processes and threads");
    assertThat(new LimitWatch(ProgramLimits.NONE, clock, table, MARK).excess(10, List.of()))
        .isNull();
  }

  @Test
  void bytesOfDirectoriesAreAddedInBlocksAndLinksAreNotFollowed() throws IOException {
    Path one = Files.createDirectories(directory.resolve("one/below"));
    Path two = Files.createDirectories(directory.resolve("two"));
    Files.write(one.resolve("large"), new byte[60_000]);
    Files.createSymbolicLink(two.resolve("link"), one.resolve("large"));
    LimitWatch watch = new LimitWatch(new ProgramLimits(20, 10, 80_000), clock, table, MARK);
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
