package io.orrery.journeys.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests bad input, at both doors: refused with its place, and nothing is created. */
class RefusalsIT {
  private static final String GOOD =
      """
      trialCommand: "true"
      trialCodeDirectory: .
      trialConcurrency: 1
      maxTrialNumber: 1
      searchSpace: {x: {_type: uniform, _value: [0, 1]}}
      tuner: {name: Random, classArgs: {optimize_mode: maximize}}
      trainingService: {platform: local}
      """;

  @TempDir static Path temp;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws Exception {
    server = ServerProcess.start(temp.resolve("home").toAbsolutePath());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  static Stream<Arguments> bad() {
    return Stream.of(
        Arguments.of("an unknown key", GOOD + "trialComand: x\n", "/trialComand"),
        Arguments.of("a wrong type", GOOD.replace("Number: 1", "Number: many"), "/maxTrialNumber"),
        Arguments.of(
            "a missing search space", GOOD.replaceAll("searchSpace.*\n", ""), "/searchSpace"),
        Arguments.of("high below low", GOOD.replace("[0, 1]", "[1, 0]"), "/searchSpace/x"),
        Arguments.of(
            "a missing code directory",
            GOOD.replace("Directory: .", "Directory: nowhere"),
            "/trialCodeDirectory"),
        Arguments.of(
            "concurrency 0", GOOD.replace("Concurrency: 1", "Concurrency: 0"), "/trialConcurrency"),
        Arguments.of(
            "a type that the tuner does not take",
            GOOD.replace("Random", "Batch"),
            "/searchSpace/x"),
        Arguments.of("an unknown tuner", GOOD.replace("Random", "Randum"), "/tuner/name"),
        Arguments.of("YAML that does not parse", "trialCommand: [unclosed\n", ""));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bad")
  void theApiAnswers400WithThePlace(String what, String config, String pointer) throws Exception {
    HttpResponse<String> answer =
        server.send(
            "POST", "/experiments?base=" + temp.toAbsolutePath(), BodyPublishers.ofString(config));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
    JsonNode errors = Json.parse(answer.body()).get("errors");
    assertThat(errors).isNotEmpty();
    assertThat(errors.findValuesAsText("pointer")).anyMatch(at -> at.startsWith(pointer));
    assertThat(server.get("/experiments").get("items")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/trials",
        "/trials?status=FAILED",
        "/trials?sort=metric",
        "/points",
        "/export"
      })
  void anExperimentThatIsNotThereIsNotFound(String what) throws Exception {
    HttpResponse<String> answer =
        server.send("GET", "/experiments/unknown1" + what, BodyPublishers.noBody());

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(404);
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
    assertThat(Json.parse(answer.body()).get("detail").textValue()).contains("unknown1");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bad")
  void theCommandLineEndsWith2AndNamesTheLine(String what, String config, String pointer)
      throws Exception {
    Path file = Files.writeString(temp.resolve("bad.yml"), config);

    Process process = orrery("experiment", "create", file.toString());
    String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(errors).isEqualTo(2);
    assertThat(errors).contains("bad.yml:").contains(pointer);
    assertThat(server.get("/experiments").get("items")).isEmpty();
  }

  @Test
  void everythingThatIsWrongIsSaidAtOnce() throws Exception {
    String config =
        GOOD.replace("Concurrency: 1", "Concurrency: 0")
                .replace("Random", "TPE")
                .replace("optimize_mode: maximize", "optimize_mode: up, gamma: -1, sead: 3")
                .replace("\"true\"", "run {{params.nope}}")
                .replace("[0, 1]", "[a, b]")
                .replace("platform: local", "platform: lcal")
            + "trialComand: x\n";

    HttpResponse<String> answer =
        server.send(
            "POST", "/experiments?base=" + temp.toAbsolutePath(), BodyPublishers.ofString(config));

    assertThat(Json.parse(answer.body()).get("errors").findValuesAsText("pointer"))
        .containsExactlyInAnyOrder(
            "/trialConcurrency",
            "/trialComand",
            "/trialCommand",
            "/searchSpace/x/_value/0",
            "/searchSpace/x/_value/1",
            "/trainingService/platform",
            "/tuner/classArgs/optimize_mode",
            "/tuner/classArgs/gamma",
            "/tuner/classArgs/sead");
  }

  @Test
  void aBodyOfAHundredMegabytesIs413() throws Exception {
    byte[] body = new byte[100 << 20];
    HttpResponse<String> answer =
        server.send("POST", "/experiments", BodyPublishers.ofByteArray(body));

    assertThat(answer.statusCode()).isEqualTo(413);
  }

  @Test
  void aForeignHostOrOriginIs403() throws Exception {
    assertThat(raw("Host: evil.example")).startsWith("HTTP/1.1 403");
    assertThat(raw("Host: 127.0.0.1:" + server.url().getPort(), "Origin: http://evil.example"))
        .startsWith("HTTP/1.1 403");
    assertThat(raw("Host: localhost:" + server.url().getPort())).startsWith("HTTP/1.1 200");
  }

  private String raw(String... headers) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", server.url().getPort())) {
      String request =
          "GET /api/v1/experiments HTTP/1.1\r\n"
              + String.join("\r\n", headers)
              + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private Process orrery(String... arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(ServerProcess.command(arguments));
    builder.environment().put("ORRERY_HOME", server.home().toString());
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    return builder.start();
  }
}
