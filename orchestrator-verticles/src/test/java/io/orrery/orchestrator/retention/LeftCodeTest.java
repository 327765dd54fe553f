package io.orrery.orchestrator.retention;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.orrery.core.bus.contract.OldFiles;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.code.CodeRepository;
import io.orrery.core.code.FetchedCode;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.workload.Workspaces;
import io.orrery.orchestrator.experiment.store.ExperimentTable;
import io.orrery.orchestrator.run.RunTable;
import io.orrery.orchestrator.workload.WorkloadTable;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Removes code that was fetched into workspaces, and nothing that a person wrote. */
class LeftCodeTest {
  /** Later than all files of a test, whose last change cannot be set. */
  private static final Instant FETCHED =
      Instant.now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);

  private static final Instant BEFORE = FETCHED.plus(Duration.ofDays(60));
  private static final CodeRepository TRAIN =
      new CodeRepository(URI.create("https://git.example/team/train.git"), "main", "", null);
  private static final String NAME = name(FETCHED);

  @TempDir Path temp;
  private Vertx vertx;
  private Store store;
  private Workspaces workspaces;
  private LeftCode code;

  @BeforeEach
  void open() throws Exception {
    vertx = Vertx.vertx();
    store = SqliteStore.open(vertx, temp.resolve("orrery.db"));
    success(ExperimentTable.MIGRATIONS.apply(store));
    success(RunTable.MIGRATIONS.apply(store));
    success(WorkloadTable.MIGRATIONS.apply(store));
    workspaces = Workspaces.in(temp);
    code = new LeftCode(vertx, store, workspaces);
  }

  @AfterEach
  void close() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  private static String name(Instant fetched) {
    return FetchedCode.name(TRAIN, "0123456789abcdef", fetched);
  }

  private Path fetched(String user, String name) throws IOException {
    Path directory =
        Files.createDirectories(workspaces.of(user).resolve("code").resolve(name).resolve("lib"));
    Files.writeString(directory.resolve("train.py"), "print(1)\n");
    return directory.getParent();
  }

  private List<OldObject> find() throws Exception {
    return success(code.find(BEFORE)).items();
  }

  @Test
  void anOldCopyThatNothingNamesIsRemoved() throws Exception {
    Path old = fetched("ann", NAME);
    fetched("ann", name(BEFORE));
    fetched("ann", "my-own-notes");
    Files.createDirectories(old.resolve("lib/__pycache__"));
    Files.createFile(old.resolve("lib/__pycache__/train.pyc"));

    List<OldObject> found = find();

    assertThat(found).extracting(OldObject::name).containsExactly("ann/code/" + NAME);
    assertThat(found.getFirst().since()).isEqualTo(FETCHED);
    success(code.remove(found.getFirst(), BEFORE));
    assertThat(old).doesNotExist();
    assertThat(find()).isEmpty();
    assertThat(workspaces.of("ann").resolve("code")).isDirectoryContaining("glob:**/my-own-notes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"trialCodeDirectory\": \"/mnt/ann/code/%s\"}",
        "{\"command\": \"python train.py --data=ann/code/%s/lib\"}",
        "{\"command\": \"cd 'ann/code/%s'\"}",
        "{\"command\": \"cd ~/code/%s && ./run\"}",
        "{\"command\": \"cd code/%s && ./run\"}",
        "{\"command\": \"cd code\\n%s/run\"}",
        "{\"command\": \"cd \\\"$HOME/code/%s\\\"\"}"
      })
  void whatAnExperimentNamesStays(String spec) throws Exception {
    Path named = fetched("ann", NAME);
    Path other = fetched("bob", name(FETCHED.plusSeconds(1)));
    Path second = fetched("ann", NAME + "-2");
    success(
        store.write(
            List.of(
                Statement.of(
                    "insert into experiments (id, spec, status, counts, next_sequence,"
                        + " next_ordinal, next_number, created, ran_ms, created_at) values ('e1',"
                        + " ?, 'DONE', '{}', 1, 1, 1, 1, 1, 1)",
                    spec.formatted(NAME)))));

    for (OldObject object : find()) {
      if (object.usedBy() == null) {
        success(code.remove(object, BEFORE));
      } else {
        assertThat(object.usedBy()).isEqualTo("experiment e1");
        assertThat(failure(code.remove(object, BEFORE))).isInstanceOf(Problem.Conflict.class);
      }
    }
    assertThat(named).exists();
    assertThat(other).doesNotExist();
    assertThat(second).doesNotExist();
  }

  @Test
  void copiesOfOneNameStayTogetherSinceACommandMayMeanEither() throws Exception {
    fetched("ann", NAME);
    fetched("bob", NAME);
    success(
        store.write(
            List.of(
                Statement.of(
                    "insert into runs (run, spec, pipeline, version, project, owner, creator,"
                        + " cause, parameters, status, moving, created_at) values ('r1', ?, 'p',"
                        + " 1, 'vision', 'ann', 'ann', 'user', '{}', 'SUCCEEDED', 0, 1)",
                    "{\"command\": \"cd code/" + NAME + "\"}"))));

    assertThat(find()).extracting(OldObject::usedBy).containsExactly("run r1", "run r1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-01-02T03:04:05Z", "2100-01-02T03:04:05Z"})
  void aFileThatAPersonAddedStaysWhateverTimeItHas(Instant modified) throws Exception {
    String minuteAgo = name(Instant.now().minus(Duration.ofMinutes(1)));
    Path changed =
        Files.createDirectories(workspaces.of("ann").resolve("code").resolve(minuteAgo + "/lib"))
            .getParent();
    assertThat(find()).extracting(OldObject::usedBy).containsOnlyNulls();
    // As after cp -p, rsync -a or tar x.
    Files.setLastModifiedTime(
        Files.writeString(changed.resolve("lib/notes.txt"), "mine"), FileTime.from(modified));

    OldObject found = find().getFirst();

    assertThat(found.usedBy()).contains("changed files");
    assertThat(failure(code.remove(found, BEFORE))).isInstanceOf(Problem.Conflict.class);
    assertThat(changed.resolve("lib/notes.txt")).exists();
  }

  @Test
  void anEditOneMinuteAfterTheFetchStays() throws Exception {
    Path edited = fetched("ann", name(Instant.now().minus(Duration.ofMinutes(1))));

    assertThat(find().getFirst().usedBy()).contains("changed files");
    assertThat(edited).exists();
  }

  @Test
  void whatCannotBeReadIsCountedAndTheOthersAreFound() throws Exception {
    assumeFalse(System.getProperty("user.name").equals("root"), "root can read everything");
    List<Path> closed =
        List.of(fetched("ann", NAME).resolve("lib"), fetched("bob", NAME).getParent());
    fetched("ann", NAME + "-2");
    fetched("cleo", NAME);
    for (Path each : closed) {
      Files.setPosixFilePermissions(each, Set.of());
    }

    OldFiles.Found found = success(code.find(BEFORE));

    assertThat(found.items())
        .extracting(OldObject::name)
        .containsExactlyInAnyOrder("ann/code/" + NAME + "-2", "cleo/code/" + NAME);
    assertThat(found.unread()).isEqualTo(2);
  }

  @Test
  void linksInTheirPlaceLeadNowhere() throws Exception {
    Path outside = Files.createDirectories(temp.resolve("outside").resolve(NAME));
    Files.createDirectories(workspaces.of("ann"));
    Files.createSymbolicLink(workspaces.of("ann").resolve("code"), outside.getParent());
    Files.createDirectories(workspaces.of("bob").resolve("code"));
    Files.createSymbolicLink(workspaces.of("bob").resolve("code").resolve(NAME), outside);

    assertThat(find()).isEmpty();
    assertThat(outside).exists();
  }
}
