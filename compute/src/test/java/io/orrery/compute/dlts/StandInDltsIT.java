package io.orrery.compute.dlts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The stand-in refuses what DLTS does, so that a test against it proves something. */
class StandInDltsIT {
  private static final String GOOD =
      """
      {"team": "vision", "vcName": "vision", "userName": "ada@example.org", "gpuType": "P40",
       "jobName": "j", "jobType": "training", "jobtrainingtype": "RegularJob", "resourcegpu": 0,
       "image": "i", "cmd": "true", "interactivePorts": [], "enableworkpath": true,
       "enablejobpath": true, "env": [], "preemptionAllowed": "False"}
      """;

  @TempDir Path directory;
  private StandInDlts dlts;
  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeEach
  void start() throws Exception {
    dlts = new StandInDlts(directory);
  }

  @AfterEach
  void stop() {
    dlts.close();
    client.close();
  }

  private HttpResponse<String> send(String method, String path, String password, String body)
      throws Exception {
    String query =
        "?email=ada@example.org&password=" + URLEncoder.encode(password, StandardCharsets.UTF_8);
    return client.send(
        HttpRequest.newBuilder(URI.create(dlts.url() + path + query))
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private String submit(String body) throws Exception {
    return send("POST", "/api/clusters/azure-eu/jobs", StandInDlts.PASSWORD, body).body();
  }

  @Test
  void aGoodJobIsTakenEvenTwice() throws Exception {
    assertThat(submit(GOOD)).contains("job-1");
    assertThat(submit(GOOD)).contains("job-2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "more        | 1",
        "image       |",
        "vcName      | \"speech\"",
        "userName    | \"eve@example.org\"",
        "gpuType     | \"V100\"",
        "resourcegpu | \"1\"",
        "jobType     | \"inference\"",
      })
  void aJobWithAFaultIsRefused(String field, String value) throws Exception {
    ObjectNode job = (ObjectNode) Json.parse(GOOD);
    if (value == null) {
      job.remove(field);
    } else {
      job.set(field, Json.parse(value));
    }

    assertThat(submit(job.toString())).contains("error").doesNotContain("jobId");
    assertThat(dlts.jobs()).isEmpty();
  }

  @Test
  void aPortIsOpenedOnceAndSomeTimeLater() throws Exception {
    String password = StandInDlts.PASSWORD;
    String endpoints = "/api/clusters/azure-eu/jobs/" + StandInDlts.SERVER + "/endpoints";
    String good = "{\"endpoints\": [{\"name\": \"n\", \"podPort\": 8080}]}";
    assertThat(send("POST", endpoints, password, "{}").statusCode()).isEqualTo(400);
    assertThat(send("POST", endpoints, password, good.replace("8080", "0")).statusCode())
        .isEqualTo(400);
    assertThat(send("POST", endpoints.replace("server", "7"), password, good).statusCode())
        .isEqualTo(404);

    assertThat(send("POST", endpoints, password, good).statusCode()).isEqualTo(200);

    assertThat(send("POST", endpoints, password, good).statusCode()).isEqualTo(400);
    assertThat(send("GET", endpoints, password, "").body()).contains("pending");
    assertThat(send("GET", endpoints, password, "").body()).contains("running", "8080");
  }

  @Test
  void aWrongPasswordAnotherClusterAndAStrangeStatusAreRefused() throws Exception {
    String password = StandInDlts.PASSWORD;
    assertThat(send("GET", "/api/teams/vision/clusters/azure-eu", "wrong", "").statusCode())
        .isEqualTo(403);
    assertThat(send("GET", "/api/teams/vision/clusters/other", password, "").statusCode())
        .isEqualTo(404);
    String job = "/api/clusters/azure-eu/jobs/job-1/status";
    assertThat(send("PUT", job, password, "{\"status\": \"killing\"}").statusCode()).isEqualTo(404);
    submit(GOOD.replace("\"true\"", "\"sleep 300\""));
    assertThat(send("PUT", job, password, "{\"status\": \"gone\"}").statusCode()).isEqualTo(400);
    assertThat(send("PUT", job, password, "{\"status\": \"killing\"}").statusCode()).isEqualTo(200);
  }

  @Test
  void oneCallTooManyIsRefused() throws Exception {
    dlts.crowded.set(1);
    String team = "/api/teams/vision/clusters/azure-eu";
    HttpResponse<String> busy = send("GET", team, StandInDlts.PASSWORD, "");
    assertThat(busy.statusCode()).isEqualTo(429);
    assertThat(busy.headers().firstValue("Retry-After")).isPresent();
    assertThat(send("GET", team, StandInDlts.PASSWORD, "").statusCode()).isEqualTo(200);
  }
}
