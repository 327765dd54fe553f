package io.orrery.orchestrator.workload;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.RouteLayers;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.project.Mounts;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.orrery.core.time.SystemClock;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadSpec;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes a layer whose services are refused together. The keeper of layers is played. */
class RouteLayerWriterTest {
  @TempDir Path directory;
  private final List<String> stored = new CopyOnWriteArrayList<>();
  private Vertx vertx;
  private Store store;
  private Bus bus;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    store = SqliteStore.open(vertx, directory.resolve("writer.db"));
    bus = Bus.of(vertx);
    bus.serve(Routes.CHECK, check -> Future.succeededFuture(new Routes.Checked(true)));
    bus.serve(RouteLayers.PUT, this::keep);
  }

  @AfterEach
  void stop() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  /** Refuses services that give their requests to each other, as the reader of routes does. */
  private Future<RouteLayers.Stored> keep(RouteLayers.Put put) {
    List<Finding> findings = new ArrayList<>();
    JsonNode services = Json.parse(put.document()).path("services");
    for (int i = 0; i < services.size(); i++) {
      if (services.get(i).has("split")) {
        findings.add(new Finding("/services/" + i + "/split", "a cycle: aa → bb → aa"));
      }
    }
    if (findings.size() > 1) {
      return Future.failedFuture(Problem.Refused.of(findings).toException());
    }
    stored.add(put.document());
    return Future.succeededFuture(new RouteLayers.Stored(stored.size()));
  }

  private static OwnedWorkload workload(String name, String rest) {
    return new OwnedWorkload(
        new Want(
            ServiceStage.PRODUCTION.workload(new ServiceName(name)),
            ProjectName.PUBLIC,
            "ann",
            Workloads.HERE,
            1,
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
            1,
            "{\"name\":\"%s\"%s}".formatted(name, rest)),
        false,
        0,
        Instant.EPOCH);
  }

  @Test
  void servicesThatAreWrongTogetherAloneAreLeftOutAndSayWhy() {
    OwnedWorkload one = workload("aa", ",\"split\":\"bb:10%\"");
    OwnedWorkload other = workload("bb", ",\"split\":\"aa:10%\"");
    OwnedWorkload third = workload("cc", "");
    RouteLayerWriter writer =
        new RouteLayerWriter(
            bus,
            new SystemClock(vertx),
            () -> List.of(one, other, third),
            new DomainRouting(bus, store, () -> {}),
            () -> {});

    vertx.runOnContext(go -> writer.changed());

    await().atMost(Duration.ofSeconds(20)).until(() -> !stored.isEmpty());
    assertThat(Json.parse(stored.getFirst()).path("services"))
        .extracting(service -> service.path("name").asText())
        .containsExactly("cc");
    assertThat(one.view().reason()).contains("a cycle: aa → bb → aa");
    assertThat(other.view().reason()).contains("a cycle: aa → bb → aa");
    assertThat(third.view().reason()).isNull();
  }
}
