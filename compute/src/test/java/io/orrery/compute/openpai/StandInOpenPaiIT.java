package io.orrery.compute.openpai;

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

/** The stand-in refuses what OpenPAI does, so that a test against it proves something. */
class StandInOpenPaiIT {
  private static final String GOOD =
      """
      {"protocolVersion": 2, "name": "j", "type": "job",
       "prerequisites": [{"type": "dockerimage", "name": "i", "uri": "python:3"}],
       "taskRoles": {"r": {"dockerImage": "i", "commands": ["true"],
         "resourcePerInstance": {"cpu": 1, "memoryMB": 1, "gpu": 0}}}}
      """;

  @TempDir Path directory;
  private StandInOpenPai pai;
  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeEach
  void start() throws Exception {
    pai = new StandInOpenPai(directory);
  }

  @AfterEach
  void stop() {
    pai.close();
    client.close();
  }

  private HttpResponse<String> send(
      String method, String path, String token, String type, String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(pai.url() + "/rest-server/api/v2" + path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", type)
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private int submit(String body) throws Exception {
    return send("POST", "/jobs", StandInOpenPai.TOKEN, "text/yaml", body).statusCode();
  }

  @Test
  void aGoodJobIsTakenOnce() throws Exception {
    assertThat(submit(GOOD)).isEqualTo(202);
    assertThat(submit(GOOD)).isEqualTo(409);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/more                                     | 1",
        "/taskRoles/r/more                         | 1",
        "/prerequisites/0/more                     | 1",
        "/extras/more                              | 1",
        "/protocolVersion                          | 1",
        "/name                                     | \"no good\"",
        "/type                                     | \"task\"",
        "/jobRetryCount                            | -1",
        "/taskRoles/r/dockerImage                  | \"none\"",
        "/taskRoles/r/instances                    | 0",
        "/taskRoles/r/commands                     | []",
        "/taskRoles/r/commands                     | \"true\"",
        "/taskRoles/r/resourcePerInstance/memoryMB | \"1gb\"",
        "/taskRoles/r/resourcePerInstance/cpu      | 0.5",
        "/defaults/virtualCluster                  | \"none\"",
        "/extras/storages                          | [{\"name\": \"none\"}]",
      })
  void aDocumentWithAFaultIsRefused(String pointer, String value) throws Exception {
    ObjectNode job = (ObjectNode) Json.parse(GOOD);
    int slash = pointer.lastIndexOf('/');
    ObjectNode parent =
        job.at(pointer.substring(0, slash)) instanceof ObjectNode object
            ? object
            : job.putObject(pointer.substring(1, slash));
    parent.set(pointer.substring(slash + 1), Json.parse(value));

    assertThat(submit(job.toString())).isEqualTo(400);
    assertThat(pai.jobs()).isEmpty();
  }

  @Test
  void aWrongTokenOrTypeIsRefused() throws Exception {
    assertThat(send("POST", "/jobs", "wrong", "text/yaml", GOOD).statusCode()).isEqualTo(401);
    assertThat(send("GET", "/jobs", "wrong", "text/yaml", "").statusCode()).isEqualTo(401);
    assertThat(send("POST", "/jobs", StandInOpenPai.TOKEN, "application/json", GOOD).statusCode())
        .isEqualTo(400);
  }

  @Test
  void aJobMustBeThereToBeStoppedAndIsToldHow() throws Exception {
    String token = StandInOpenPai.TOKEN;
    String json = "application/json";
    String stop = "{\"value\": \"STOP\"}";
    assertThat(send("PUT", "/jobs/ada~j/executionType", token, json, stop).statusCode())
        .isEqualTo(404);
    submit(GOOD.replace("\"true\"", "\"sleep 300\""));
    assertThat(send("PUT", "/jobs/ada~j/executionType", token, json, "{}").statusCode())
        .isEqualTo(400);
    assertThat(send("PUT", "/jobs/eve~j/executionType", token, json, stop).statusCode())
        .isEqualTo(404);
    assertThat(send("PUT", "/jobs/ada~j/executionType", token, json, stop).statusCode())
        .isEqualTo(202);
  }

  @Test
  void anUnknownFilterAndTooManyCallsAreRefused() throws Exception {
    String token = StandInOpenPai.TOKEN;
    assertThat(send("GET", "/jobs?user=ada", token, "text/yaml", "").statusCode()).isEqualTo(400);
    assertThat(send("GET", "/jobs?limit=50001", token, "text/yaml", "").statusCode())
        .isEqualTo(400);
    pai.crowded.set(1);
    HttpResponse<String> busy = send("GET", "/jobs", token, "text/yaml", "");
    assertThat(busy.statusCode()).isEqualTo(429);
    assertThat(busy.headers().firstValue("Retry-After")).isPresent();
    assertThat(send("GET", "/jobs", token, "text/yaml", "").statusCode()).isEqualTo(200);
  }
}
