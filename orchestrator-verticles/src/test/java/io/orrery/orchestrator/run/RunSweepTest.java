package io.orrery.orchestrator.run;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.alert.AlertRows;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.RunStatus;
import io.orrery.core.run.StepOutput;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.orrery.core.time.VirtualClock;
import io.orrery.orchestrator.bundle.CodeUses;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sweeps the directories that runs leave in a home. */
class RunSweepTest {
  @TempDir Path home;
  private final VirtualClock clock = new VirtualClock(Instant.parse("2026-11-01T00:00:00Z"));
  private final Set<RunId> inMemory = new HashSet<>();
  private Vertx vertx;
  private Store store;
  private RunTable table;
  private RunSweep sweep;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    store = SqliteStore.open(vertx, home.resolve("orrery.db"));
    success(RunTable.MIGRATIONS.apply(store));
    success(CodeUses.MIGRATIONS.apply(store));
    success(AlertRows.MIGRATIONS.apply(store));
    table = new RunTable(store);
    sweep = new RunSweep(vertx, clock, table, new RunArtifacts(home), home, inMemory::contains);
    RunSpec spec = RunSpecs.run(1, RunSpecs.Step.named("train"));
    success(
        table.write(RunStatements.insert(spec, RunState.NEW, RunModel.fresh(spec), clock.now())));
  }

  @AfterEach
  void stop() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  private void end() throws Exception {
    RunState ended = new RunState(RunStatus.FAILED, clock.now(), clock.now(), "train: it failed");
    success(table.write(List.of(RunStatements.update(RunSpecs.RUN, ended))));
  }

  private Path attempt() throws IOException {
    Path root = StepDirectories.of(home, RunSpecs.RUN, 0, 1).root();
    Files.createDirectories(root.resolve("work"));
    Files.writeString(root.resolve("work").resolve("core"), "what is left");
    return root;
  }

  private void sweepAfter(Duration time) throws Exception {
    clock.advance(time);
    success(sweep.sweep());
  }

  @Test
  void aFailedAttemptIsThereForAWeekAfterItsRun() throws Exception {
    Path attempt = attempt();
    end();

    sweepAfter(Duration.ofDays(6));
    assertThat(attempt.resolve("work").resolve("core")).exists();

    sweepAfter(Duration.ofDays(2));
    assertThat(StepDirectories.all(home)).isEmptyDirectory();
  }

  @Test
  void aRunThatIsNotOverKeepsItsDirectories() throws Exception {
    Path attempt = attempt();

    sweepAfter(Duration.ofDays(30));

    assertThat(attempt).exists();
  }

  @Test
  void aRunThatIsInMemoryKeepsItsDirectories() throws Exception {
    Path attempt = attempt();
    end();
    inMemory.add(RunSpecs.RUN);

    sweepAfter(Duration.ofDays(30));

    assertThat(attempt).exists();
  }

  @Test
  void anEmptyDirectoryGoesAtOnce() throws Exception {
    Path attempt = attempt();
    new StepDirectories(attempt).delete();
    end();

    sweepAfter(Duration.ZERO);

    assertThat(StepDirectories.all(home)).isEmptyDirectory();
  }

  @Test
  void whatAServerThatWasKilledHasNotDeletedIsDeleted() throws Exception {
    Path left = Files.createDirectories(StepDirectories.all(home).resolve("discarded-r2"));
    Files.writeString(left.resolve("rest"), "");

    sweepAfter(Duration.ZERO);

    assertThat(left).doesNotExist();
  }

  @Test
  void draftsOfArtifactsAreDeletedAfterADay() throws Exception {
    Path artifacts = Files.createDirectories(home.resolve("run-artifacts"));
    Path old = Files.createFile(artifacts.resolve("new-1"));
    Path fresh = Files.createFile(artifacts.resolve("new-2"));
    Path stored = Files.createDirectories(artifacts.resolve("ab")).resolve("ab".repeat(32));
    Files.createFile(stored);
    Files.setLastModifiedTime(old, FileTime.from(clock.now().minus(Duration.ofDays(2))));
    Files.setLastModifiedTime(fresh, FileTime.from(clock.now()));
    Files.setLastModifiedTime(stored, FileTime.from(clock.now()));

    sweepAfter(Duration.ZERO);

    assertThat(old).doesNotExist();
    assertThat(fresh).exists();
    assertThat(stored).exists();
    assertThat(Objects.requireNonNull(stored.getParent())).exists();
  }

  @Test
  void anArtifactIsDeletedWhenNoRunHasItAnyMore() throws Exception {
    RunArtifacts artifacts = new RunArtifacts(home);
    StepOutput made = artifacts.put("data", Files.writeString(home.resolve("data"), "rows"));
    String digest = Objects.requireNonNull(made.digest());
    Path stored = home.resolve("run-artifacts").resolve(digest.substring(0, 2)).resolve(digest);
    StepState done = StepState.NEW.succeeded(List.of(made), clock.now());
    success(table.write(RunStatements.artifacts(RunSpecs.RUN, "train", done, clock.now())));
    end();
    FileTime old = FileTime.from(clock.now());
    Files.setLastModifiedTime(stored, old);

    sweepAfter(Duration.ofDays(3));
    assertThat(stored).exists();

    success(table.write(RunStatements.delete(RunSpecs.RUN)));
    artifacts.put("again", home.resolve("data"));
    Files.setLastModifiedTime(stored, FileTime.from(clock.now()));
    sweepAfter(Duration.ofHours(1));
    assertThat(stored).exists();

    sweepAfter(Duration.ofDays(1));
    assertThat(stored).doesNotExist();
    assertThat(success(table.unusedArtifacts(clock.now(), 10))).isEmpty();
  }

  @Test
  void aContentThatNoRunEverHadIsDeletedAfterADay() throws Exception {
    RunArtifacts artifacts = new RunArtifacts(home);
    StepOutput kept = artifacts.put("kept", Files.writeString(home.resolve("kept"), "kept"));
    StepState done = StepState.NEW.succeeded(List.of(kept), clock.now());
    success(table.write(RunStatements.artifacts(RunSpecs.RUN, "train", done, clock.now())));
    List<Path> files = new ArrayList<>();
    for (String name : List.of("kept", "stray", "young")) {
      Path source = Files.writeString(home.resolve(name), name);
      String digest = Objects.requireNonNull(artifacts.put(name, source).digest());
      Path stored = home.resolve("run-artifacts").resolve(digest.substring(0, 2)).resolve(digest);
      boolean young = name.equals("young");
      Files.setLastModifiedTime(
          stored, FileTime.from(young ? clock.now() : clock.now().minus(Duration.ofDays(2))));
      files.add(stored);
    }

    sweepAfter(Duration.ofHours(1));

    assertThat(files.get(0)).exists();
    assertThat(files.get(1)).doesNotExist();
    assertThat(files.get(2)).exists();

    sweepAfter(Duration.ofDays(2));
    assertThat(files.get(0)).exists();
    assertThat(files.get(2)).doesNotExist();
  }
}
