package io.orrery.compute.aml;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The stand-in refuses what Azure does, so that a test against it proves something. */
class StandInAmlIT {
  private static final String WORKSPACE =
      "/subscriptions/sub/resourceGroups/group"
          + "/providers/Microsoft.MachineLearningServices/workspaces/space";

  private static final String GOOD =
      """
      {"properties": {"jobType": "Command", "command": "true",
       "environmentId": "%1$s/environments/e/versions/1", "computeId": "%1$s/computes/cluster"}}
      """
          .formatted(WORKSPACE);

  @TempDir Path directory;
  private StandInAml azure;
  private String token;
  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeEach
  void start() throws Exception {
    azure = new StandInAml(directory);
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(
                    URI.create(
                        azure.url()
                            + "/metadata/identity/oauth2/token?api-version=2018-02-01&resource="
                            + azure.url()
                            + "/"))
                .header("Metadata", "true")
                .build(),
            BodyHandlers.ofString());
    token = Json.parse(answer.body()).path("access_token").textValue();
    send("PUT", "/environments/e/versions/1", "2024-04-01", "{\"properties\": {\"image\": \"i\"}}");
  }

  @AfterEach
  void stop() {
    azure.close();
    client.close();
  }

  private int send(String method, String path, String version, String body) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(
                    URI.create(azure.url() + WORKSPACE + path + "?api-version=" + version))
                .header("Authorization", "Bearer " + token)
                .method(method, BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString())
        .statusCode();
  }

  @Test
  void aGoodJobIsMadeOnceAndChangedAfterwards() throws Exception {
    assertThat(send("PUT", "/jobs/j", "2024-04-01", GOOD)).isEqualTo(201);
    assertThat(send("PUT", "/jobs/j", "2024-04-01", GOOD)).isEqualTo(200);
    assertThat(azure.jobs()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "more          | 1",
        "jobType       | \"Sweep\"",
        "command       |",
        "environmentId | \"elsewhere\"",
        "computeId     | \"elsewhere\"",
      })
  void aJobWithAFaultIsRefused(String field, String value) throws Exception {
    ObjectNode job = (ObjectNode) Json.parse(GOOD);
    ObjectNode properties = (ObjectNode) job.path("properties");
    if (value == null) {
      properties.remove(field);
    } else {
      properties.set(field, Json.parse(value));
    }

    assertThat(send("PUT", "/jobs/j", "2024-04-01", job.toString())).isEqualTo(400);
    assertThat(azure.jobs()).isEmpty();
  }

  @Test
  void aWrongTokenVersionOrOrderIsRefused() throws Exception {
    assertThat(send("GET", "/jobs", "2019-01-01", "")).isEqualTo(400);
    assertThat(send("POST", "/jobs/j/cancel", "2024-04-01", "")).isEqualTo(404);
    assertThat(
            send(
                "PUT",
                "/environments/e/versions/1",
                "2024-04-01",
                "{\"properties\": {\"image\": \"other\"}}"))
        .isEqualTo(409);
    azure.forgetTokens();
    assertThat(send("GET", "/jobs", "2024-04-01", "")).isEqualTo(401);
  }

  @Test
  void oneCallTooManyIsRefused() throws Exception {
    azure.crowded.set(1);
    assertThat(send("GET", "/jobs", "2024-04-01", "")).isEqualTo(429);
    assertThat(send("GET", "/jobs", "2024-04-01", "")).isEqualTo(200);
  }
}
