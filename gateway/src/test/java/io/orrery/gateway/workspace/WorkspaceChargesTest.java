package io.orrery.gateway.workspace;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.Bus;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.SystemClock;
import io.orrery.gateway.workspace.WorkspaceCharges.Upload;
import io.orrery.studio.StudioVerticle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plays two servers that share a store and the files of three people. */
class WorkspaceChargesTest {
  private static final long MIB = 1L << 20;
  private static final long LIMIT = 12;
  private static final long MEMBER_LIMIT = 7;

  @TempDir Path directory;
  private final Map<String, Long> files = new ConcurrentHashMap<>();
  private final Random delays = new Random(9);
  private final List<WorkspaceCharges> servers = new ArrayList<>();
  private Vertx vertx;
  private Store store;

  @BeforeEach
  void open() throws Exception {
    vertx = Vertx.vertx();
    store = SqliteStore.open(vertx, directory.resolve("studio.db"));
    Bus bus = Bus.of(vertx);
    for (int i = 0; i < 2; i++) {
      success(
          vertx.deployVerticle(
              new StudioVerticle(
                  bus, store, new SystemClock(vertx), new SecureRandom(), directory)));
      servers.add(new WorkspaceCharges(bus, new SystemClock(vertx), new Random(i)));
    }
    success(
        store.write(
            List.of(
                Statement.of(
                    "update projects set quota = ? where name = 'public'",
                    "{\"storage\": \"%dM\", \"member\": {\"storage\": \"%dM\"}}"
                        .formatted(LIMIT, MEMBER_LIMIT)))));
  }

  @AfterEach
  void close() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  private long charged() throws Exception {
    return success(
            store.read(
                Statement.of(
                    "select cast(coalesce(sum(units * storage), 0) as bigint) as n"
                        + " from quota_holdings"),
                row -> row.integer("n")))
        .getFirst();
  }

  /** A count of one moment that is known some moments later, as that of a large directory. */
  private Supplier<Future<Long>> counted(String user) {
    return () -> {
      long now = files.getOrDefault(user, 0L);
      return vertx.timer(1 + delays.nextInt(8), TimeUnit.MILLISECONDS).map(now);
    };
  }

  /** An upload that is charged before it is written, part by part. */
  private Future<Void> upload(WorkspaceCharges server, String user, int mib, boolean announced) {
    WorkspacePath path = new WorkspacePath(user, List.of("f"));
    return server
        .begin(path, announced ? mib * MIB : 0, counted(user))
        .compose(upload -> write(upload, user, 1, mib).eventually(upload::end));
  }

  private Future<Void> write(Upload upload, String user, int part, int all) {
    return part > all
        ? Future.succeededFuture()
        : upload
            .grow(part * MIB)
            .compose(room -> {
              files.merge(user, MIB, Long::sum);
              return write(upload, user, part + 1, all);
            });
  }

  @Test
  void filesNeverExceedALimitAndAreChargedWhenAllIsQuiet() throws Exception {
    Random random = new Random(3);
    int refused = 0;
    for (int round = 0; round < 40; round++) {
      List<Future<Void>> asked = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        asked.add(
            upload(
                servers.get(random.nextInt(2)),
                "u" + random.nextInt(3),
                1 + random.nextInt(3),
                random.nextBoolean()));
      }
      success(Future.join(asked).otherwiseEmpty());
      for (Future<Void> each : asked) {
        if (each.failed()) {
          assertThat(Problem.of(each.cause())).isInstanceOf(Problem.TooLarge.class);
          refused++;
        }
      }
      long sum = files.values().stream().mapToLong(each -> each).sum();
      assertThat(sum).as("round %d", round).isLessThanOrEqualTo(LIMIT * MIB);
      assertThat(files.values()).as("round %d", round).allMatch(each -> each <= MEMBER_LIMIT * MIB);
      for (Map.Entry<String, Long> each : files.entrySet()) {
        success(servers.getFirst().charge(each.getKey(), counted(each.getKey())));
      }
      assertThat(charged()).as("round %d", round).isEqualTo(sum);
      String user = "u" + random.nextInt(3);
      files.remove(user);
      success(servers.get(random.nextInt(2)).charge(user, counted(user)));
    }
    assertThat(refused).isPositive();
  }

  @Test
  void whatProgramsWroteIsChargedBeyondTheLimitAndNothingIsAdded() throws Exception {
    files.put("ann", 9 * MIB);

    assertThat(failure(upload(servers.getFirst(), "ann", 1, true)).detail())
        .contains("/mnt/ann/f (1M of storage) does not fit", "quota of ann in public: 9M of 7M");
    assertThat(charged()).isEqualTo(9 * MIB);
  }
}
