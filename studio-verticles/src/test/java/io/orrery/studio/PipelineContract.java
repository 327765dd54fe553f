package io.orrery.studio;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.CodeBundles;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Pipelines;
import io.orrery.core.json.Json;
import io.orrery.core.project.HostMounts;
import io.orrery.core.run.PipelineName;
import io.orrery.core.sql.Store;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions of pipelines are kept alike on every store. */
abstract class PipelineContract {
  private static final PipelineName DIGITS = new PipelineName("digits");
  private static final Actor ANN = new Actor("ann", "10.0.0.1");

  @TempDir Path directory;
  private Vertx vertx;
  private Store store;
  private Bus bus;

  abstract Store open(Vertx vertx, Path directory);

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    store = open(vertx, directory);
    bus = Bus.of(vertx);
    success(
        Future.all(
            bus.serve(
                PipelineRuns.PLATFORMS,
                asked ->
                    Future.succeededFuture(
                        new PipelineRuns.Platforms(List.of("local"), List.of(), HostMounts.ANY))),
            bus.serve(
                CodeBundles.FIND, asked -> Future.succeededFuture(new CodeBundles.Found(true)))));
    success(
        vertx.deployVerticle(
            new StudioVerticle(bus, store, new SystemClock(vertx), new SecureRandom(), directory)));
  }

  @AfterEach
  void stop() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  /**
   * Stores a version.
   *
   * @param parameters of 100,000 characters each
   */
  private void put(int number, int parameters) throws Exception {
    ObjectNode document = Json.MAPPER.createObjectNode().put("kind", "Pipeline");
    document.put("name", DIGITS.value());
    ObjectNode all = document.putObject("parameters");
    for (int i = 0; i < parameters; i++) {
      all.putObject("p" + i).put("type", "str").put("default", "x".repeat(100_000));
    }
    document.putArray("tasks").addObject().put("name", "t").put("command", "echo " + number);
    success(
        bus.request(
            Pipelines.PUT,
            new Pipelines.PutPipeline(
                ANN, DIGITS, ProjectName.PUBLIC, Json.write(document), number == 1, null, false)));
  }

  private Pipelines.Versions versions(@Nullable Long before, int limit) throws Exception {
    return success(
        bus.request(Pipelines.VERSIONS, new Pipelines.VersionsOf(DIGITS, before, limit)));
  }

  private static List<Long> numbers(Pipelines.Versions page) {
    return page.items().stream().map(Pipelines.Version::version).toList();
  }

  @Test
  void versionsAreReadPageByPage() throws Exception {
    for (int i = 1; i <= 5; i++) {
      put(i, 0);
    }

    Pipelines.Versions first = versions(null, 2);
    assertThat(numbers(first)).containsExactly(5L, 4L);
    assertThat(first.next()).isEqualTo(4);
    Pipelines.Versions second = versions(first.next(), 3);
    assertThat(numbers(second)).containsExactly(3L, 2L, 1L);
    assertThat(second.next()).isNull();
    assertThat(second.items().getLast().document()).contains("echo 1");
    assertThat(versions(1L, 10).items()).isEmpty();
  }

  @Test
  void longDocumentsMakeShortPagesAndAreKeptUpToALimit() throws Exception {
    int stored = 75;
    for (int i = 1; i <= stored; i++) {
      put(i, 9);
    }

    Pipelines.Versions first = versions(null, 1_000);
    assertThat(first.items()).hasSizeBetween(4, 6);
    List<Long> all = new ArrayList<>(numbers(first));
    for (Long next = first.next(); next != null; ) {
      Pipelines.Versions page = versions(next, 1_000);
      all.addAll(numbers(page));
      next = page.next();
    }
    assertThat(all).hasSizeBetween(70, 72).startsWith((long) stored).doesNotHaveDuplicates();
  }
}
