package io.orrery.studio.service;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.bus.contract.Services.Exposed;
import io.orrery.core.route.PortRange;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.orrery.studio.service.ExposeReader.Wish;
import io.orrery.studio.service.PortTable.PortRow;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans ports by what a stage, a number and a range have in the table. */
class PortAllocationTest {
  private static final PortRange RANGE = new PortRange(30_000, 30_009);
  private static final ServiceName HELLO = new ServiceName("hello");
  private static final ServiceName OTHER = new ServiceName("other");

  @TempDir Path directory;
  private Vertx vertx;
  private Store store;
  private PortTable table;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    store = SqliteStore.open(vertx, directory.resolve("studio.db"));
    success(PortTable.MIGRATIONS.apply(store));
    table = new PortTable(store);
    put(HELLO, new Exposed(80, 30_003, List.of()));
    put(OTHER, new Exposed(80, 30_000, List.of()), new Exposed(81, 30_002, List.of()));
  }

  @AfterEach
  void stop() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  private void put(ServiceName service, Exposed... ports) throws Exception {
    success(store.write(PortTable.put(service, ServiceStage.PRODUCTION, List.of(ports))));
  }

  private PortPlan plan(List<PortRow> rows) {
    return new PortPlan(RANGE, rows, HELLO, ServiceStage.PRODUCTION, Set.of());
  }

  private List<PortRow> rows(Integer... numbers) throws Exception {
    return success(table.of(HELLO, ServiceStage.PRODUCTION, List.of(numbers)));
  }

  @Test
  void aStageThatKeepsItsPortsReadsNoOthers() throws Exception {
    List<PortRow> rows = rows();

    assertThat(rows).extracting(row -> row.exposed().number()).containsExactly(30_003);
    assertThat(plan(rows).known(List.of(new Wish(80, null)))).containsEntry(80, 30_003);
    // A port that has no number yet is left for what the others have.
    assertThat(plan(rows).known(List.of(new Wish(80, null), new Wish(90, null)))).hasSize(1);
  }

  @Test
  void newPortsAvoidWhatAnyOtherStageHasAndMayHaveWhatTheStageLeaves() throws Exception {
    List<Integer> taken = success(table.taken(RANGE));

    assertThat(taken).containsExactlyInAnyOrder(30_000, 30_002, 30_003);
    assertThat(plan(rows()).numbers(List.of(new Wish(80, null), new Wish(90, null)), taken))
        .containsEntry(80, 30_003)
        .containsEntry(90, 30_001);
    assertThat(plan(rows()).numbers(List.of(new Wish(90, null), new Wish(91, null)), taken))
        .containsEntry(90, 30_003)
        .containsEntry(91, 30_004);
  }

  @Test
  void aNumberOfAnotherServiceIsRefusedAndOneThatIsTakenMeanwhileIsAConflict() throws Exception {
    List<PortRow> rows = rows(30_002);
    Wish wish = new Wish(80, 30_002);

    assertThat(rows).hasSize(2);
    assertThatThrownBy(() -> plan(rows).known(List.of(wish)))
        .hasMessageContaining("port 30002 is that of the service other");
    // Another server may have given the number after it was read.
    assertThat(
            failure(
                store.write(
                    PortTable.put(
                        HELLO,
                        ServiceStage.PRODUCTION,
                        List.of(new Exposed(80, 30_002, List.of()))))))
        .isNotNull();
    assertThat(rows()).extracting(row -> row.exposed().number()).containsExactly(30_003);
  }
}
