package io.orrery.orchestrator.run;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.run.StepOutput;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keeps artifacts in a store of objects of a real server. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ObjectArtifactsContract {
  @TempDir Path home;
  private Vertx vertx;
  private RunArtifacts artifacts;

  /** Starts the server with an empty store. */
  abstract void begin(Path directory) throws Exception;

  /** Starts it again with what it had before. */
  abstract void start() throws Exception;

  /** Ends the server. */
  abstract void stop();

  /** A store of the server. */
  abstract ArtifactSettings settings(String prefix) throws Exception;

  /** Whether the server has an object. */
  abstract boolean has(String name) throws Exception;

  /** Puts another content in the place of an object's. */
  abstract void replace(String name, String content) throws Exception;

  @BeforeAll
  @Timeout(300)
  void beginServer(@TempDir Path directory) throws Exception {
    begin(directory);
  }

  @AfterAll
  void endServer() {
    stop();
  }

  @BeforeEach
  void open() throws Exception {
    vertx = Vertx.vertx();
    artifacts = RunArtifacts.of(settings("runs/"), home, new SystemClock(vertx));
  }

  @AfterEach
  void close() throws Exception {
    artifacts.close();
    success(vertx.close());
  }

  private static String object(StepOutput output) {
    return "runs/" + output.digest();
  }

  @Test
  void filesAndDirectoriesComeBackAsTheyWere() throws Exception {
    byte[] large = new byte[9 << 20];
    new Random(1).nextBytes(large);
    Path source = Files.createDirectories(home.resolve("out/deep"));
    Files.writeString(source.resolve("a.txt"), "one");
    Files.write(home.resolve("large"), large);

    StepOutput data = artifacts.put("data", home.resolve("out"));
    StepOutput file = artifacts.put("large", home.resolve("large"));
    artifacts.place(data, home.resolve("in/data"));
    artifacts.place(file, home.resolve("in/large"));

    assertThat(has(object(data))).isTrue();
    assertThat(home.resolve("in/data/deep/a.txt")).hasContent("one");
    assertThat(home.resolve("in/large")).hasBinaryContent(large);
    assertThat(artifacts.read(file, (4 << 20) - 2, 10))
        .containsExactly(large[(4 << 20) - 2], large[(4 << 20) - 1]);
    assertThat(artifacts.read(file, 9 << 20, 10)).isEmpty();
    assertThat(artifacts.has(List.of(data, file))).isTrue();
    try (var left = Files.list(RunArtifacts.directory(home))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void whatIsDamagedInTheStoreIsNotGivenToAStep() throws Exception {
    StepOutput output = artifacts.put("a", Files.writeString(home.resolve("a"), "right"));
    replace(object(output), "wrong");

    assertThatThrownBy(() -> artifacts.place(output, home.resolve("in")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void objectsWithoutReferencesAreDeletedUnlessStoredLately() throws Exception {
    StepOutput output = artifacts.put("a", Files.writeString(home.resolve("a"), "rows"));
    String digest = Objects.requireNonNull(output.digest());

    assertThat(artifacts.discard(digest, Instant.now().minus(Duration.ofHours(1)))).isFalse();
    assertThat(artifacts.has(List.of(output))).isTrue();
    assertThat(artifacts.discard(digest, Instant.now().plus(Duration.ofHours(1)))).isTrue();
    assertThat(artifacts.has(List.of(output))).isFalse();
    assertThat(artifacts.discard(digest, Instant.now().plus(Duration.ofHours(1)))).isTrue();
  }

  @Test
  void whatWasStoredInTheHomeBeforeIsFoundAndAStoreThatIsAwayMayComeBack() throws Exception {
    StepOutput early =
        new RunArtifacts(home).put("a", Files.writeString(home.resolve("a"), "early"));

    assertThat(artifacts.has(List.of(early))).isTrue();
    artifacts.place(early, home.resolve("in/early"));
    assertThat(home.resolve("in/early")).hasContent("early");
    assertThat(artifacts.read(early, 1, 2)).asString().isEqualTo("ar");

    stop();
    assertThatThrownBy(() -> artifacts.put("a", home.resolve("a")))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(e.problem()).isInstanceOf(Problem.Passing.class));
    start();
    assertThat(artifacts.put("a", home.resolve("a")).digest()).isEqualTo(early.digest());
  }
}
