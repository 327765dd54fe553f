package io.orrery.studio;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Tracking;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Artifacts of tracked runs are charged to the storage of their project, by two servers at once.
 */
abstract class TrackedFilesContract {
  private static final Actor ANN = new Actor("ann", "10.0.0.1");
  private static final int[] SIZES = {100, 300, 700};

  @TempDir Path directory;
  private Vertx vertx;
  private Store store;
  private Bus bus;
  private final List<Artifacts.Stored> files = new ArrayList<>();

  abstract Store open(Vertx vertx, Path directory);

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    store = open(vertx, directory);
    bus = Bus.of(vertx);
    for (int i = 0; i < 2; i++) {
      success(
          vertx.deployVerticle(
              new StudioVerticle(
                  bus, store, new SystemClock(vertx), new SecureRandom(), directory)));
    }
    for (int i = 0; i < SIZES.length; i++) {
      String upload = ("0" + i).repeat(16);
      byte[] bytes = "x".repeat(SIZES[i]).getBytes(StandardCharsets.UTF_8);
      success(bus.request(Artifacts.ADD_PART, new Artifacts.AddPart(upload, 0, bytes)));
      files.add(
          success(bus.request(Artifacts.COMMIT, new Artifacts.Commit(upload, bytes.length, null))));
    }
  }

  @AfterEach
  void stop() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  private void limit(String quota) throws Exception {
    success(
        store.write(
            List.of(Statement.of("update projects set quota = ? where name = 'public'", quota))));
  }

  private String run(String owner) throws Exception {
    return success(
            bus.request(
                Tracking.CREATE_RUN,
                new Tracking.CreateRun(ANN, Tracking.DEFAULT, owner, owner, "", 5, Map.of())))
        .info()
        .id();
  }

  private Future<?> put(String run, String path, int file) {
    Artifacts.Stored stored = files.get(file);
    return bus.request(
        Artifacts.PUT,
        new Artifacts.PutFile(
            Artifacts.treeOfRun(run), new ArtifactFile(path, stored.digest(), stored.bytes())));
  }

  private Future<?> drop(String run, String path) {
    return bus.request(Artifacts.DROP, new Artifacts.DropFiles(Artifacts.treeOfRun(run), path));
  }

  private Quotas.Usage usage() throws Exception {
    return success(bus.request(Quotas.USAGE, new Quotas.AskUsage(ProjectName.PUBLIC)));
  }

  private long charged() throws Exception {
    return usage().used().get(QuotaResource.STORAGE);
  }

  private long stored(String where) throws Exception {
    return success(
            store.read(
                Statement.of(
                    "select cast(coalesce(sum(f.bytes), 0) as bigint) as n from artifact_files f"
                        + " join tracking_runs r on f.tree = 'run/' || r.id where "
                        + where),
                row -> row.integer("n")))
        .getFirst();
  }

  @Test
  void filesAreChargedToTheOwnerOfTheirRunUntilTheyAreDropped() throws Exception {
    limit("{\"storage\": \"1K\"}");
    String first = run("ann");
    String second = run("ann");
    success(put(first, "model/weights.bin", 2));
    success(put(second, "log.txt", 0));

    Problem refused = failure(put(first, "plot.png", 1));
    assertThat(refused).isInstanceOf(Problem.TooLarge.class);
    assertThat(refused.detail())
        .contains("artifact 'plot.png' does not fit: quota of public: 800 of 1K of storage in use");
    assertThat(stored("1 = 1")).isEqualTo(800);
    assertThat(usage().objects())
        .singleElement()
        .satisfies(object -> {
          assertThat(object.kind()).isEqualTo("tracked artifacts");
          assertThat(object.user()).isEqualTo("ann");
          assertThat(object.used().get(QuotaResource.STORAGE)).isEqualTo(800);
        });

    // A smaller one in its place.
    success(put(first, "model/weights.bin", 0));
    assertThat(charged()).isEqualTo(200);
    success(put(first, "plot.png", 1));
    success(drop(first, ""));
    assertThat(charged()).isEqualTo(100);
    success(drop(second, "log.txt"));
    assertThat(charged()).isZero();
  }

  @Test
  void aFileThatAloneIsLargerThanALimitIsRefusedWithBoth() throws Exception {
    limit("{\"member\": {\"storage\": \"0K\"}}");

    assertThat(failure(put(run("ann"), "log.txt", 0)).detail())
        .contains("artifact 'log.txt' does not fit", "100", "0");
    assertThat(charged()).isZero();
  }

  @Test
  void noLimitIsExceededByTwoServersAndTheChargeIsWhatThereIs() throws Exception {
    limit("{\"storage\": \"4K\", \"member\": {\"storage\": \"2K\"}}");
    List<String> runs = List.of(run("ann"), run("ann"), run("bob"), run("bob"), run("cleo"));
    Random random = new Random(7);
    int refused = 0;
    for (int round = 0; round < 20; round++) {
      List<Future<?>> asked = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        String run = runs.get(random.nextInt(runs.size()));
        String path = "d/" + random.nextInt(4);
        asked.add(
            random.nextInt(5) == 0
                ? drop(run, path)
                : put(run, path, random.nextInt(SIZES.length)));
      }
      success(Future.join(asked).otherwiseEmpty());
      for (Future<?> each : asked) {
        if (each.failed()) {
          assertThat(Problem.of(each.cause())).isInstanceOf(Problem.TooLarge.class);
          refused++;
        }
      }
      assertThat(stored("1 = 1")).as("round %d", round).isLessThanOrEqualTo(4_096);
      assertThat(charged()).as("round %d", round).isEqualTo(stored("1 = 1"));
      for (String user : List.of("ann", "bob", "cleo")) {
        assertThat(stored("r.owner = '" + user + "'"))
            .as("round %d, %s", round, user)
            .isLessThanOrEqualTo(2_048);
      }
    }
    assertThat(refused).isPositive();
  }
}
