package io.orrery.compute.dlc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.batch.Rest;
import io.orrery.compute.batch.Rest.Answer;
import io.orrery.compute.batch.Rest.Request;
import io.orrery.core.json.Json;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The stand-in refuses what PAI-DLC does, so that a test against it proves something. */
class StandInDlcIT {
  private static final Signature RIGHT = new Signature(StandInDlc.KEY, StandInDlc.SECRET);
  private static final String GOOD =
      """
      {"DisplayName": "j", "JobType": "TFJob", "WorkspaceId": "268", "UserCommand": "true",
       "JobSpecs": [{"Type": "Worker", "Image": "i", "PodCount": 1, "EcsSpec": "e"}]}
      """;

  @TempDir Path directory;
  private StandInDlc dlc;
  private Vertx vertx;
  private Rest rest;

  @BeforeEach
  void start() throws Exception {
    dlc = new StandInDlc(directory);
    vertx = Vertx.vertx();
    rest = new Rest(vertx);
  }

  @AfterEach
  void stop() throws Exception {
    dlc.close();
    vertx.close().await(20, TimeUnit.SECONDS);
  }

  private Request request(
      Signature signature, String action, String nonce, Instant at, @Nullable String body) {
    return signature.request(
        body == null ? "GET" : "POST",
        dlc.url(),
        "/api/v1/jobs",
        body == null ? Map.of("WorkspaceId", "268") : Map.of(),
        action,
        "2020-12-03",
        body,
        at,
        nonce);
  }

  private Answer submit(String body) {
    return rest.send(request(RIGHT, "CreateJob", nonce(), Instant.now(), body));
  }

  private static String nonce() {
    return UUID.randomUUID().toString();
  }

  @Test
  void aGoodJobIsTakenEvenTwice() {
    assertThat(submit(GOOD).body()).contains("dlc-1");
    assertThat(submit(GOOD).body()).contains("dlc-2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "More        | 1",
        "DisplayName | \"a b\"",
        "JobType     | \"tfjob\"",
        "WorkspaceId | \"1\"",
        "UserCommand |",
        "JobSpecs    | []",
        "JobSpecs    | [{\"Type\": \"Worker\", \"Image\": \"i\", \"PodCount\": \"1\", \"EcsSpec\": \"e\"}]",
        "DataSources | [{\"DataSourceId\": \"nas\"}]",
      })
  void aJobWithAFaultIsRefused(String field, String value) {
    ObjectNode job = (ObjectNode) Json.parse(GOOD);
    if (value == null) {
      job.remove(field);
    } else {
      job.set(field, Json.parse(value));
    }

    assertThat(submit(job.toString()).status()).isEqualTo(400);
    assertThat(dlc.jobs()).isEmpty();
  }

  @Test
  void aRequestThatIsNotSignedWellIsRefused() {
    Instant now = Instant.now();
    assertThat(rest.send(request(RIGHT, "ListJobs", nonce(), now, null)).status()).isEqualTo(200);
    Signature wrong = new Signature(StandInDlc.KEY, "wrong");
    assertThat(rest.send(request(wrong, "ListJobs", nonce(), now, null)).body())
        .contains("SignatureDoesNotMatch");
    Signature unknown = new Signature("unknown", StandInDlc.SECRET);
    assertThat(rest.send(request(unknown, "ListJobs", nonce(), now, null)).status()).isEqualTo(404);
    assertThat(rest.send(request(RIGHT, "CreateJob", nonce(), now, null)).body())
        .contains("InvalidAction");
    Instant early = now.minus(Duration.ofMinutes(16));
    assertThat(rest.send(request(RIGHT, "ListJobs", nonce(), early, null)).body())
        .contains("Expired");
    Request once = request(RIGHT, "ListJobs", nonce(), now, null);
    assertThat(rest.send(once).status()).isEqualTo(200);
    assertThat(rest.send(once).body()).contains("SignatureNonceUsed");
    Request changed = request(RIGHT, "CreateJob", nonce(), now, GOOD);
    assertThat(
            rest.send(
                    new Request(
                        "POST", changed.url(), changed.headers(), GOOD.replace("true", "false")))
                .body())
        .contains("SignatureDoesNotMatch");
  }

  @Test
  void oneCallTooManyIsRefused() {
    dlc.crowded.set(1);
    assertThat(submit(GOOD).body()).contains("Throttling");
    assertThat(dlc.jobs()).isEmpty();
    assertThat(submit(GOOD).status()).isEqualTo(200);
  }
}
