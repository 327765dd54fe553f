package io.orrery.orchestrator.retention;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.OldImages.AskNamed;
import io.orrery.core.digest.Sha256;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.orchestrator.experiment.store.ExperimentTable;
import io.orrery.orchestrator.run.RunTable;
import io.orrery.orchestrator.workload.WorkloadTable;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The images that rows of a real database name. */
class NamedImagesTest {
  private static final String DIGEST = "sha256:" + Sha256.hex("one");
  private static final String TOOL = "hub.example.com/vision/tool@" + DIGEST;

  @TempDir Path temp;
  private Vertx vertx;
  private Store store;

  @BeforeEach
  void open() throws Exception {
    vertx = Vertx.vertx();
    store = SqliteStore.open(vertx, temp.resolve("orrery.db"));
    success(ExperimentTable.MIGRATIONS.apply(store));
    success(RunTable.MIGRATIONS.apply(store));
    success(WorkloadTable.MIGRATIONS.apply(store));
  }

  @AfterEach
  void close() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  private void write(String sql) throws Exception {
    success(store.write(List.of(Statement.of(sql))));
  }

  private Map<String, String> named(List<String> configured, String... images) throws Exception {
    return success(new NamedImages(store, configured).of(new AskNamed(List.of(images)))).users();
  }

  @Test
  void experimentsRunsAndWorkloadsNameImagesByTagAndByDigest() throws Exception {
    write(
        "insert into experiments (id, spec, status, counts, next_sequence, next_ordinal,"
            + " next_number, created, ran_ms, created_at) values ('e1',"
            + " '{\"trainingService\": {\"image\": \"hub.example.com/vision/tool:1\"}}', 'DONE',"
            + " '{}', 1, 1, 1, 1, 1, 1)");
    write(
        "insert into runs (run, spec, pipeline, version, project, owner, creator, cause,"
            + " parameters, status, moving, created_at) values ('r1',"
            + " '{\"image\": \"vision/tool:2\"}', 'p', 1, 'vision', 'ann', 'ann', 'user', '{}',"
            + " 'SUCCEEDED', 0, 1)");
    write(
        "insert into workloads (workload, spec, project, owner, runtime, generation, replicas,"
            + " removed) values ('shell/w1', '{\"image\": \"%s\"}', 'vision', 'ann', 'here', 1, 1,"
                .formatted(TOOL)
            + " 0)");

    assertThat(named(List.of(), TOOL))
        .isEqualTo(
            Map.of(
                "vision/tool:1",
                "experiment e1",
                "vision/tool:2",
                "run r1",
                DIGEST,
                "workload shell/w1"));
    assertThat(named(List.of(), "hub.example.com/vision/other@sha256:" + Sha256.hex("two")))
        .isEmpty();
  }

  @Test
  void theConfigurationNamesImagesToo() throws Exception {
    assertThat(named(List.of("hub.example.com/vision/tool:9", "python:3.13"), TOOL))
        .isEqualTo(Map.of("vision/tool:9", "the configuration"));
  }

  @Test
  void whatIsNoImageIsNamedByNothing() throws Exception {
    assertThat(named(List.of(), "", "hub.example.com/vision/tool:1")).isEmpty();
  }
}
