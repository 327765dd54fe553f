package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.orchestrator.s3.S3Proxy;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Runs pipelines whose artifacts lie in a bucket of a real S3 server. */
@Timeout(300)
class BucketPipelineIT extends PipelineJourney {
  private static final int LARGE = 1_000_000;

  private S3Proxy store;

  @Override
  void configure() throws Exception {
    store = S3Proxy.start(Files.createDirectories(temp.toAbsolutePath().resolve("s3")));
    Path secret = temp.toAbsolutePath().resolve("secret");
    Files.writeString(secret, S3Proxy.SECRET_KEY + "\n");
    Files.writeString(
        home().resolve("orrery.yml"),
        """
        artifacts:
          s3:
            endpoint: %s
            bucket: %s
            prefix: runs
            accessKey: %s
            secretKey: "file:%s"
        """
            .formatted(store.endpoint(), S3Proxy.BUCKET, S3Proxy.ACCESS_KEY, secret));
  }

  @AfterEach
  void end() {
    if (store != null) {
      store.close();
    }
  }

  private Path object(JsonNode run, String step, String output) {
    return store.object("runs/" + step(run, step).at("/outputs/" + output + "/digest").textValue());
  }

  private void putTwo() throws Exception {
    put(
        "two",
        """
        kind: Pipeline
        name: two
        tasks:
          - name: make
            command: |
              mkdir "$ORRERY_OUTPUTS/data"; echo rows > "$ORRERY_OUTPUTS/data/a.csv"
              echo word > "$ORRERY_OUTPUTS/small"
              head -c %d /dev/zero > "$ORRERY_OUTPUTS/large"
            cache: {for: 1d}
            outputs: {data: {path: data}, small: {path: small}, large: {path: large}}
          - name: use
            command: cat "$ORRERY_INPUTS/data/a.csv"
            inputs: {data: "{{tasks.make.outputs.data}}"}
        """
            .formatted(LARGE));
  }

  @Test
  void outputsGoToTheBucketAndComeFromItToOtherStepsRunsAndClients() throws Exception {
    putTwo();
    String first = run("two", "{}");
    JsonNode run = awaitEnd(first);

    assertThat(run.path("status").asText()).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
    assertThat(object(run, "make", "small")).hasContent("word\n");
    try (Stream<Path> home = Files.walk(home().resolve("run-artifacts"))) {
      assertThat(home.filter(Files::isRegularFile)).isEmpty();
    }
    assertThat(text("/runs/" + first + "/steps/use/logs/stdout")).isEqualTo("rows\n");
    assertThat(text("/runs/" + first + "/artifacts/make/small")).isEqualTo("word\n");
    assertThat(text("/runs/" + first + "/artifacts/make/large")).hasSize(LARGE);

    server.kill();
    begin();
    JsonNode second = awaitEnd(run("two", "{}"));
    assertThat(status(second, "make")).isEqualTo("CACHED");
    assertThat(status(second, "use")).isEqualTo("SUCCEEDED");
    assertThat(Files.readString(home().resolve("server.log"))).doesNotContain(S3Proxy.SECRET_KEY);
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void whatIsDamagedInTheBucketReachesNeitherStepsNorClientsAsAWhole() throws Exception {
    putTwo();
    String first = run("two", "{}");
    JsonNode run = awaitEnd(first);
    Files.writeString(object(run, "make", "small"), "bad!\n");
    byte[] other = new byte[LARGE];
    Arrays.fill(other, (byte) 1);
    Files.write(object(run, "make", "large"), other);
    Files.writeString(object(run, "make", "data"), "none");

    HttpResponse<String> small =
        server.send("GET", "/runs/" + first + "/artifacts/make/small", BodyPublishers.noBody());
    assertThat(small.statusCode()).isEqualTo(500);
    assertThat(small.body()).doesNotContain("bad!");
    assertThatThrownBy(() -> text("/runs/" + first + "/artifacts/make/large"))
        .isInstanceOf(IOException.class);

    JsonNode second = awaitEnd(run("two", "{}"));
    assertThat(status(second, "use")).isEqualTo("FAILED");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aStepWaitsForAStoreThatIsAway() throws Exception {
    store.close();
    putTwo();
    String id = run("two", "{}");
    await()
        .atMost(PATIENCE)
        .until(() -> Files.exists(home().resolve("runs").resolve(id).resolve("0-1/outputs/large")));
    assertThat(run(id).path("status").asText()).isEqualTo("RUNNING");

    store.start();

    assertThat(awaitEnd(id).path("status").asText()).isEqualTo("SUCCEEDED");
  }
}
