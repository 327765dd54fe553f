package io.orrery.studio.quota;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.Quotas.HoldAnswer;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.SystemClock;
import io.orrery.studio.StudioVerticle;
import io.orrery.studio.due.FaultyStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays three servers with one store that fails now and then, before a commit or after it, and
 * owners that are replaced while their requests are under way: no limit is ever exceeded. {@code
 * -Dorrery.quota.seed=N} repeats one schedule.
 */
class QuotaFaultTest {
  private static final ProjectName VISION = new ProjectName("vision");
  private static final ProjectName SPEECH = new ProjectName("speech");
  private static final int OBJECTS = 16;

  /** Of the last ones, which belong to a project without a quota. */
  private static final int FREE_OBJECTS = 4;

  private static final int ROUNDS = 40;
  private static final int PROJECT_LIMIT = 10;
  private static final int MEMBER_LIMIT = 4;
  private static final int SERVER_LIMIT = 13;

  private static final String OF_VISION = "project = 'vision'";

  @TempDir Path directory;
  private Vertx vertx;
  private Store store;

  /** An object as its present owner knows it. */
  private static final class Owned {
    final String name;
    final ProjectName project;
    final String user;
    final int gpus;
    long epoch = 1;
    int units;

    Owned(String name, ProjectName project, String user, int gpus) {
      this.name = name;
      this.project = project;
      this.user = user;
      this.gpus = gpus;
    }

    Hold hold(int wanted) {
      return new Hold(
          new QuotaObject("experiment", name),
          project,
          user,
          epoch,
          Amounts.of(QuotaResource.GPU, gpus),
          wanted);
    }
  }

  static LongStream seeds() {
    Long one = Long.getLong("orrery.quota.seed");
    return one == null ? LongStream.range(0, 12) : LongStream.of(one);
  }

  @BeforeEach
  void open() throws Exception {
    vertx = Vertx.vertx();
    store = SqliteStore.open(vertx, directory.resolve("studio.db"));
    success(StudioVerticle.MIGRATIONS.apply(store));
    success(QuotaHandler.migrate(store));
    success(
        store.write(
            List.of(
                Statement.of(
                    "insert into projects (name, title, settings, quota, owner, created_at,"
                        + " changed_at, revision) values ('speech', '', '{}', '{}', '', 0, 0, 1)"),
                Statement.of(
                    "insert into projects (name, title, settings, quota, owner, created_at,"
                        + " changed_at, revision) values ('vision', '', '{}', ?, '', 0, 0, 1)",
                    "{\"gpu\": %d, \"member\": {\"gpu\": %d}}"
                        .formatted(PROJECT_LIMIT, MEMBER_LIMIT)))));
  }

  @AfterEach
  void close() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noLimitIsExceededWhateverFails(long seed) throws Exception {
    Random random = new Random(seed);
    Random faults = new Random(seed + 1);
    Bus bus = Bus.of(vertx);
    boolean[] calm = {false};
    Store faulty =
        new FaultyStore(
            store,
            () -> {
              synchronized (faults) {
                return !calm[0] && faults.nextInt(10) == 0;
              }
            });
    List<QuotaHandler> servers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      servers.add(
          new QuotaHandler(
              bus, faulty, new SystemClock(vertx), Map.of(QuotaResource.GPU, (long) SERVER_LIMIT)));
    }
    List<Owned> objects = new ArrayList<>();
    for (int i = 0; i < OBJECTS; i++) {
      ProjectName project = i < OBJECTS - FREE_OBJECTS ? VISION : SPEECH;
      objects.add(new Owned("e" + i, project, "u" + i % 4, 1 + i % 3));
    }
    int granted = 0;
    for (int round = 0; round < ROUNDS; round++) {
      List<Future<HoldAnswer>> asked = new ArrayList<>();
      for (Owned object : objects) {
        if (random.nextInt(8) == 0) {
          // Another owner, who knows nothing before it has asked.
          object.epoch++;
          object.units = 0;
        }
        int wanted = random.nextInt(4);
        object.units = Math.min(object.units, wanted);
        long epoch = object.epoch;
        asked.add(
            servers
                .get(random.nextInt(3))
                .hold(object.hold(wanted))
                .onSuccess(held -> {
                  if (object.epoch == epoch) {
                    object.units = held.units();
                  }
                }));
      }
      success(Future.join(asked).otherwiseEmpty());
      check(objects, seed, round);
      granted += objects.stream().mapToInt(each -> each.units).sum();
    }
    assertThat(granted).as("seed %d", seed).isPositive();

    calm[0] = true;
    for (Owned object : objects) {
      success(servers.getFirst().hold(object.hold(0)));
    }
    assertThat(stored("1 = 1")).isZero();
    Owned last = objects.getFirst();
    assertThat(success(servers.get(1).hold(last.hold(9))).units()).isEqualTo(MEMBER_LIMIT);
  }

  private void check(List<Owned> objects, long seed, int round) throws Exception {
    assertThat(stored("1 = 1"))
        .as("seed %d, round %d", seed, round)
        .isLessThanOrEqualTo(SERVER_LIMIT);
    assertThat(stored(OF_VISION))
        .as("seed %d, round %d, vision", seed, round)
        .isLessThanOrEqualTo(PROJECT_LIMIT);
    for (int i = 0; i < 4; i++) {
      String user = "u" + i;
      assertThat(stored(OF_VISION + " and user_name = '" + user + "'"))
          .as("seed %d, round %d, %s", seed, round, user)
          .isLessThanOrEqualTo(MEMBER_LIMIT);
      assertThat(
              objects.stream()
                  .filter(each -> each.user.equals(user) && each.project.equals(VISION))
                  .mapToInt(each -> each.units * each.gpus)
                  .sum())
          .isLessThanOrEqualTo(MEMBER_LIMIT);
    }
    assertThat(objects.stream().mapToInt(each -> each.units * each.gpus).sum())
        .as("seed %d, round %d: what owners may use", seed, round)
        .isLessThanOrEqualTo(SERVER_LIMIT);
  }

  private long stored(String where) throws Exception {
    return success(
            store.read(
                Statement.of(
                    "select cast(coalesce(sum(units * gpu), 0) as bigint) as n"
                        + " from quota_holdings where "
                        + where),
                row -> row.integer("n")))
        .getFirst();
  }
}
