package io.orrery.studio.service;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.Mounts;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.studio.StudioVerticle;
import io.orrery.studio.service.ServiceTable.StageRow;
import io.orrery.studio.service.ServiceTable.StoredWant;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes stages while other changes come between. */
class ServiceTableTest {
  private static final ServiceName HELLO = new ServiceName("hello");

  @TempDir Path directory;
  private Vertx vertx;
  private Store store;
  private ServiceTable table;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    store = SqliteStore.open(vertx, directory.resolve("studio.db"));
    success(StudioVerticle.MIGRATIONS.apply(store));
    table = new ServiceTable(store);
  }

  @AfterEach
  void stop() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  private static StageRow stage(long generation, int replicas) {
    return new StageRow(
        HELLO, ServiceStage.PRODUCTION, generation, generation, replicas, Instant.EPOCH);
  }

  private static StoredWant stored(long generation, int replicas) {
    Want want = want(generation, replicas);
    return new StoredWant(want, Json.write(want));
  }

  private static Want want(long generation, int replicas) {
    return new Want(
        ServiceStage.PRODUCTION.workload(HELLO),
        ProjectName.PUBLIC,
        "ann",
        Workloads.HERE,
        generation,
        new WorkloadSpec(
            List.of("serve"),
            null,
            null,
            Map.of(),
            List.of(),
            null,
            Duration.ofMinutes(1),
            Duration.ofSeconds(1),
            Resources.UNLIMITED,
            Mounts.NONE),
        null,
        replicas,
        null);
  }

  @Test
  void aScalingDoesNotTakeBackADeploymentThatCameFirst() throws Exception {
    success(store.write(List.of(ServiceTable.put(stage(2, 1), want(2, 1)))));

    Problem late =
        failure(
            store.write(
                List.of(ServiceTable.scale(stored(1, 1), stage(1, 1), stage(1, 3), want(1, 3)))));

    assertThat(late).isInstanceOf(Problem.Conflict.class);
    assertThat(success(table.stage(HELLO, ServiceStage.PRODUCTION))).contains(stage(2, 1));
    assertThat(success(table.want(HELLO, ServiceStage.PRODUCTION))).contains(want(2, 1));

    success(
        store.write(
            List.of(ServiceTable.scale(stored(2, 1), stage(2, 1), stage(2, 3), want(2, 3)))));
    assertThat(success(table.stage(HELLO, ServiceStage.PRODUCTION))).contains(stage(2, 3));
    assertThat(success(table.want(HELLO, ServiceStage.PRODUCTION))).contains(want(2, 3));
  }
}
