package io.orrery.orchestrator.retention;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.OldFiles;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.digest.Sha256;
import io.orrery.core.image.EnvironmentPlace;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.SearchPath;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.orchestrator.experiment.store.ExperimentTable;
import io.orrery.orchestrator.run.RunTable;
import io.orrery.orchestrator.workload.WorkloadTable;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Removes real directories, with rows in a real database that name some of them. */
class LeftEnvironmentsTest {
  private static final Instant BEFORE = Instant.parse("2026-03-10T12:00:00Z");
  private static final ProjectName VISION = new ProjectName("vision");

  /** A row of each table whose texts may name an environment, by a number and the text. */
  private static final List<String> ROWS =
      List.of(
          "insert into experiments (id, spec, status, counts, next_sequence, next_ordinal,"
              + " next_number, created, ran_ms, created_at) values ('e%d', '%s', 'DONE', '{}', 1,"
              + " 1, 1, 1, 1, 1)",
          "insert into runs (run, spec, pipeline, version, project, owner, creator, cause,"
              + " parameters, status, moving, created_at) values ('r%d', '%s', 'p', 1, 'vision',"
              + " 'ann', 'ann', 'user', '{}', 'SUCCEEDED', 0, 1)",
          "insert into workloads (workload, spec, project, owner, runtime, generation, replicas,"
              + " removed) values ('shell/w%d', '%s', 'vision', 'ann', 'here', 1, 1, 0)");

  @TempDir Path temp;
  private Vertx vertx;
  private Store store;
  private EnvironmentPlace place;
  private LeftEnvironments environments;

  @BeforeEach
  void open() throws Exception {
    SearchPath programs = SearchPath.of(System.getenv());
    assumeTrue(programs.find("flock").isPresent(), "needs flock");
    vertx = Vertx.vertx();
    store = SqliteStore.open(vertx, temp.resolve("orrery.db"));
    success(ExperimentTable.MIGRATIONS.apply(store));
    success(RunTable.MIGRATIONS.apply(store));
    success(WorkloadTable.MIGRATIONS.apply(store));
    place = new EnvironmentPlace(temp.resolve("builds"));
    environments = new LeftEnvironments(vertx, store, place, programs);
  }

  @AfterEach
  void close() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  private static String digest(int number) {
    return Sha256.hex("environment " + number);
  }

  /** A directory as a build leaves it, that is so many days older than the rule says. */
  private Path environment(ProjectName project, int number, int days) throws IOException {
    Path directory = Files.createDirectories(place.of(project, digest(number)).resolve("bin"));
    Files.createFile(directory.resolve("python")).toFile().setExecutable(true);
    Files.createFile(directory.resolveSibling(".lock"));
    Files.setLastModifiedTime(
        Files.createFile(directory.resolveSibling("complete")),
        FileTime.from(BEFORE.minus(Duration.ofDays(days))));
    return directory.getParent();
  }

  private List<OldObject> find() throws Exception {
    return success(environments.find(BEFORE)).items();
  }

  private static Set<String> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(each -> each.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  private void write(int kind, int row, String text) throws Exception {
    success(store.write(List.of(Statement.of(ROWS.get(kind).formatted(row, text)))));
  }

  private static String text(int number) {
    return "{\"services\": [{\"image\": \"env:tool@sha256:%s\"}]}".formatted(digest(number));
  }

  @Test
  void nothingThatIsNamedIsEverRemovedAndAllElseIs() throws Exception {
    Map<Integer, Path> all = new HashMap<>();
    for (int seed = 0; seed < 12; seed++) {
      Random random = new Random(seed);
      all.clear();
      Set<Integer> stay = new TreeSet<>();
      for (int each = 0; each < 12; each++) {
        int number = seed * 100 + each;
        int days = random.nextInt(4) - 1;
        ProjectName project = random.nextBoolean() ? VISION : ProjectName.PUBLIC;
        all.put(number, environment(project, number, days));
        if (days <= 0) {
          stay.add(number);
        }
      }
      for (int row = 0; row < random.nextInt(8); row++) {
        int named = seed * 100 + random.nextInt(12);
        stay.add(named);
        write(random.nextInt(ROWS.size()), seed * 100 + row, text(named));
      }

      for (OldObject object : find()) {
        if (object.usedBy() == null) {
          success(environments.remove(object, BEFORE));
        } else {
          assertThat(failure(environments.remove(object, BEFORE)))
              .isInstanceOf(Problem.Conflict.class);
        }
      }

      for (var each : all.entrySet()) {
        assertThat(EnvironmentPlace.isComplete(each.getValue()))
            .as("seed %d, environment %d", seed, each.getKey())
            .isEqualTo(stay.contains(each.getKey()));
      }
    }
  }

  @Test
  void eachKindOfUserIsSaid() throws Exception {
    for (int kind = 0; kind < ROWS.size(); kind++) {
      environment(VISION, kind, 5);
      write(kind, 1, text(kind));
    }
    write(1, 2, text(1));

    assertThat(find())
        .extracting(OldObject::usedBy)
        .containsExactlyInAnyOrder("experiment e1", "run r1 and 1 more", "workload shell/w1");
  }

  @Test
  void aRemovalAndABuildNeverMeet() throws Exception {
    Path directory = environment(VISION, 1, 5);
    OldObject old = find().getFirst();
    Process build =
        new ProcessBuilder(
                "flock", directory.resolve(".lock").toString(), "sh", "-c", "echo locked; read end")
            .start();
    try {
      assertThat(build.getInputStream().read()).isEqualTo('l');
      assertThat(failure(environments.remove(old, BEFORE)))
          .isInstanceOf(Problem.Conflict.class)
          .hasToString("Conflict[detail=It is being built at this moment.]");
      assertThat(EnvironmentPlace.isComplete(directory)).isTrue();
    } finally {
      build.getOutputStream().close();
      build.waitFor();
    }

    // A build that found it complete has renewed it: it is about to be used.
    Files.setLastModifiedTime(directory.resolve("complete"), FileTime.from(BEFORE));
    assertThat(failure(environments.remove(old, BEFORE))).isInstanceOf(Problem.Conflict.class);
    assertThat(EnvironmentPlace.isComplete(directory)).isTrue();

    Files.setLastModifiedTime(directory.resolve("complete"), FileTime.from(BEFORE.minusSeconds(1)));
    success(environments.remove(old, BEFORE));
    assertThat(files(directory)).containsExactly(".lock");
    assertThat(find()).isEmpty();
  }

  @Test
  void whatWasNeverCompleteOrIsHalfRemovedIsOldAtOnce() throws Exception {
    Path half = environment(VISION, 1, 5);
    Files.delete(half.resolve("complete"));
    Files.setLastModifiedTime(half, FileTime.from(BEFORE.plus(Duration.ofDays(3))));
    Files.createDirectories(place.of(VISION, digest(2)));

    List<OldObject> found = find();

    assertThat(found).extracting(OldObject::name).containsExactly("sha256:" + digest(1));
    success(environments.remove(found.getFirst(), BEFORE));
    assertThat(files(half)).containsExactly(".lock");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mkfifo \"$0\"", "ln -s \"$1\" \"$0\"", "mkdir -p \"$0/sub\"", ":"})
  void whatAProgramOfABuildLeftInThePlaceOfTheLockIsNotOpened(String making) throws Exception {
    Path directory = environment(VISION, 1, 5);
    Path lock = directory.resolve(".lock");
    Path outside = temp.resolve("outside");
    Files.delete(lock);
    Process make =
        new ProcessBuilder("sh", "-c", making, lock.toString(), outside.toString()).start();
    assertThat(make.waitFor()).isZero();

    success(environments.remove(find().getFirst(), BEFORE));

    assertThat(files(directory)).containsExactly(".lock");
    assertThat(Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS)).isTrue();
    assertThat(outside).doesNotExist();
  }

  @Test
  void aRemovalThatTakesTooLongIsEnded() throws Exception {
    Path held = Files.createFile(temp.resolve("held"));
    Path flock = Files.createDirectories(temp.resolve("bin")).resolve("flock");
    Files.writeString(flock, "#!/bin/sh\ntail -f '%s'\n".formatted(held));
    assertThat(flock.toFile().setExecutable(true)).isTrue();
    SearchPath slow = new SearchPath(flock.getParent() + ":" + System.getenv("PATH"));
    Path directory = environment(VISION, 1, 5);
    LeftEnvironments limited =
        new LeftEnvironments(vertx, store, place, new RemovalProgram(slow, Duration.ofSeconds(2)));

    assertThat(failure(limited.remove(find().getFirst(), BEFORE)).detail())
        .isEqualTo("the removal took longer than 2 s and was ended");

    assertThat(EnvironmentPlace.isComplete(directory)).isTrue();
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() ->
            ProcessHandle.allProcesses()
                .map(each -> each.info().commandLine().orElse(""))
                .noneMatch(line -> line.contains(held.toString())));
    success(environments.remove(find().getFirst(), BEFORE));
  }

  @Test
  void whatCannotBeReadIsCountedAndTheOthersAreFound() throws Exception {
    assumeFalse(System.getProperty("user.name").equals("root"), "root can read everything");
    Path half = environment(VISION, 1, 5);
    Files.delete(half.resolve("complete"));
    Path whole = environment(new ProjectName("closed"), 2, 5).getParent();
    environment(VISION, 3, 5);
    environment(new ProjectName("open"), 4, 5);
    for (Path each : List.of(half, whole)) {
      Files.setPosixFilePermissions(each, Set.of());
    }

    OldFiles.Found found = success(environments.find(BEFORE));

    assertThat(found.items())
        .extracting(OldObject::name)
        .containsExactlyInAnyOrder("sha256:" + digest(3), "sha256:" + digest(4));
    assertThat(found.unread()).isEqualTo(2);
  }

  @Test
  void nothingBesidesEnvironmentsIsTouched() throws Exception {
    Path outside = Files.createDirectories(temp.resolve("outside"));
    Files.createFile(outside.resolve("complete"));
    Path all = Files.createDirectories(place.of(VISION));
    Files.createSymbolicLink(all.resolve(digest(1)), outside);
    Files.createDirectories(all.resolve("notes"));
    Files.createFile(all.resolve("notes").resolve("file"));
    Files.createSymbolicLink(place.root().resolve("linked"), outside);

    assertThat(find()).isEmpty();
    OldObject forged = new OldObject(Kind.ENVIRONMENTS, "../../outside", VISION, 1, BEFORE, null);
    assertThat(failure(environments.remove(forged, BEFORE))).isInstanceOf(Problem.NotFound.class);
    assertThat(outside.resolve("complete")).exists();
  }
}
