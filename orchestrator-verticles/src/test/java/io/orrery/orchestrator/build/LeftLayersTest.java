package io.orrery.orchestrator.build;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.SearchPath;
import io.orrery.orchestrator.retention.LeftFiles;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Removes layers while the builds of their project pause. */
class LeftLayersTest {
  private static final Instant BEFORE = Instant.parse("2026-03-10T12:00:00Z");
  private static final ProjectName VISION = new ProjectName("vision");

  @TempDir Path temp;
  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);

  /** The projects of each question for builds. */
  private final List<@Nullable List<ProjectName>> asked =
      Collections.synchronizedList(new ArrayList<>());

  private final Pauses pauses = new Pauses();
  private LeftLayers layers;

  /** The pauses that last, and how many have begun. */
  private static final class Pauses implements BuildPause {
    private final Set<ProjectName> last = new CopyOnWriteArraySet<>();
    private volatile int begun;

    @Override
    public Future<Void> begin(ProjectName project) {
      begun++;
      assertThat(last.add(project)).isTrue();
      return Future.succeededFuture();
    }

    @Override
    public void end(ProjectName project) {
      last.remove(project);
    }
  }

  @BeforeEach
  void open() throws IOException {
    // Layers of builds that have no rights of root are deleted in the name space of their user.
    Path bin = Files.createDirectories(temp.resolve("bin"));
    Path buildah = Files.writeString(bin.resolve("buildah"), "#!/bin/sh\nshift\nexec \"$@\"\n");
    assertThat(buildah.toFile().setExecutable(true)).isTrue();
    layers =
        new LeftLayers(
            vertx,
            bus,
            new BuildSettings(temp.resolve("builds"), null, 1, 1, Duration.ofMinutes(1), null),
            new SearchPath(bin + ":" + System.getenv("PATH")),
            pauses);
  }

  @AfterEach
  void close() throws Exception {
    success(vertx.close());
  }

  private void serve(Future<Builds.BuildList> answer) throws Exception {
    success(
        bus.serve(
            Builds.LIST,
            question -> {
              asked.add(question.among());
              return answer;
            }));
  }

  /** Layers of a project, as old as the rule wants. */
  private Path layers(ProjectName project) throws IOException {
    Path directory = temp.resolve("builds").resolve(project.value()).resolve("layers");
    Path image = Files.createDirectories(directory.resolve("overlay-images"));
    for (Path each : List.of(image, directory)) {
      Files.setLastModifiedTime(each, FileTime.from(BEFORE.minus(Duration.ofDays(1))));
    }
    return directory;
  }

  private static OldObject old(ProjectName project) {
    return new OldObject(Kind.LAYERS, project.value(), project, 1, BEFORE, null);
  }

  @Test
  void theBuildsOfTheOneProjectAreAskedForWhileTheyPause() throws Exception {
    serve(Future.succeededFuture(new Builds.BuildList(List.of())));
    Path own = layers(VISION);
    Path other = layers(ProjectName.PUBLIC);

    assertThat(success(layers.find(BEFORE)).items())
        .extracting(OldObject::name)
        .containsExactlyInAnyOrder("vision", "public");
    asked.clear();
    success(layers.remove(old(VISION), BEFORE));

    assertThat(own).doesNotExist();
    assertThat(other).exists();
    assertThat(asked).containsExactly(List.of(VISION));
    assertThat(pauses.begun).isEqualTo(1);
    assertThat(pauses.last).isEmpty();
  }

  @Test
  void buildsGoOnAfterARemovalThatFailed() throws Exception {
    serve(Future.failedFuture(new Problem.Broken("the database is gone").toException()));
    layers(VISION);

    assertThat(failure(layers.remove(old(VISION), BEFORE)).detail())
        .isEqualTo("the database is gone");

    assertThat(pauses.begun).isEqualTo(1);
    assertThat(pauses.last).isEmpty();
  }

  @Test
  void buildsDoNotPauseWhileARemovalWaitsForItsTurn() throws Exception {
    serve(Future.succeededFuture(new Builds.BuildList(List.of())));
    layers(VISION);
    CountDownLatch over = new CountDownLatch(1);
    WorkerExecutor thread = LeftFiles.threads(vertx);
    Future<Void> another =
        thread.executeBlocking(
            () -> {
              over.await();
              return null;
            },
            false);

    Future<?> removed = layers.remove(old(VISION), BEFORE);

    assertThat(pauses.begun).isZero();
    over.countDown();
    success(another);
    success(removed);
    assertThat(pauses.begun).isEqualTo(1);
  }

  @Test
  void theThreadEndsWithTheLastThatHasIt() throws Exception {
    serve(Future.succeededFuture(new Builds.BuildList(List.of())));
    success(layers.find(BEFORE));
    assertThat(isThere()).isTrue();

    success(layers.close());

    await().atMost(Duration.ofSeconds(20)).until(() -> !isThere());
  }

  private static boolean isThere() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().startsWith("old-files"));
  }
}
