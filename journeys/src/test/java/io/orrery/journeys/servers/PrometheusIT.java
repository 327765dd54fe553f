package io.orrery.journeys.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Document;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what a server that has run an experiment tells Prometheus, and the files that look at it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PrometheusIT {
  private static final Path DEPLOY = Path.of("..", "deploy").toAbsolutePath().normalize();
  private static final Pattern OURS = Pattern.compile("\\borrery_[a-z0-9_]+");

  private static final List<String> BOARDS =
      List.of("grafana/orrery.json", "grafana/platform.json", "grafana/router.json");
  private static final Pattern READY =
      Pattern.compile("the router is ready at http://[^:]+:(\\d+),");
  private static final Pattern ADMIN = Pattern.compile("its admin port at (http://[^\\s]+)");
  private static final Pattern CALL = Pattern.compile("call=\\\\\"([a-z.]+)");
  private static final Pattern ALERT = Pattern.compile("alert: (\\w+)");
  private static final Pattern RUNBOOK = Pattern.compile("runbook: docs/how-to/runbooks.md#(\\w+)");
  private static final Pattern HEADING = Pattern.compile("(?m)^## (\\w+)$");

  private static final String REPLICAS =
      "orrery_service_replicas{service=\"sleeper\",state=\"%s\"} %d.0";

  private ServerProcess server;
  private String experiment;
  private List<JsonNode> trials;
  private String scraped;
  private String routed;

  @BeforeAll
  void run(@TempDir Path directory) throws Exception {
    server = ServerProcess.start(directory.resolve("home"));
    experiment =
        server
            .post(
                "/experiments",
                """
                trialCommand: "echo orrery: final 0.5"
                trialCodeDirectory: %s
                trialConcurrency: 2
                maxTrialNumber: 2
                searchSpace: {x: {_type: uniform, _value: [0, 1]}}
                tuner: {name: Random, classArgs: {optimize_mode: maximize}}
                trainingService: {platform: local}
                """
                    .formatted(directory))
            .get("id")
            .textValue();
    server.awaitStatus(experiment, Duration.ofSeconds(60), "DONE");
    trials = server.trials(experiment);
    HttpResponse<String> response = server.send("POST", "/metrics", BodyPublishers.ofString("x"));
    assertThat(response.statusCode()).isEqualTo(400);
    HttpResponse<String> put =
        server.send(
            "PUT",
            "/services/sleeper",
            BodyPublishers.ofString("{\"name\": \"sleeper\", \"command\": \"exec sleep 600\"}"));
    assertThat(put.statusCode()).isEqualTo(201);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> scrape().contains(REPLICAS.formatted("ready", 1)));
    scraped = scrape();
    routed = route(directory);
  }

  /** What a router alone tells after a request. */
  private static String route(Path directory) throws Exception {
    Path file = directory.resolve("routes.yml");
    Files.writeString(
        file,
        """
        listen: {port: 0}
        admin: {port: 0}
        services: [{name: web, endpoints: ['127.0.0.1:1']}]
        """);
    Path log = Files.createFile(directory.resolve("router.log"));
    Process router =
        new ProcessBuilder(ServerProcess.command("route", "--config", file.toString()))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try (HttpClient client = HttpClient.newHttpClient()) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> ADMIN.matcher(Files.readString(log)).find());
      Matcher ready = READY.matcher(Files.readString(log));
      Matcher admin = ADMIN.matcher(Files.readString(log));
      assertThat(ready.find() && admin.find()).isTrue();
      try (Socket socket =
          new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(ready.group(1)))) {
        socket
            .getOutputStream()
            .write(
                "GET / HTTP/1.1\r\nHost: web.service.orrery.localhost\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
            .startsWith("HTTP/1.1 50");
      }
      HttpRequest request = HttpRequest.newBuilder(URI.create(admin.group(1) + "/metrics")).build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } finally {
      router.destroyForcibly().onExit().join();
    }
  }

  @AfterAll
  void stop() throws Exception {
    server.send("DELETE", "/services/sleeper", BodyPublishers.noBody());
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> server.get("/workloads").get("items").isEmpty());
    assertThat(scrape()).doesNotContain("orrery_service_replicas");
    server.close();
  }

  private String scrape() throws Exception {
    return server.text("/metrics");
  }

  @Test
  void whatHappenedIsTold() {
    assertThat(scraped.lines())
        .contains(
            "orrery_metric_points_total{result=\"accepted\"} 2.0",
            "orrery_experiments{status=\"done\"} 1.0",
            "orrery_trials{status=\"succeeded\"} 2.0",
            REPLICAS.formatted("wanted", 1),
            "orrery_call_seconds_count{call=\"submissions.submit\",outcome=\"answered\"} 2");
    assertThat(scraped).contains("orrery_eventloop_lag_seconds_bucket", "orrery_jvm_memory_used");
  }

  @Test
  void namesAreOursAndNoLabelNamesATrialOrAnExperiment() {
    assertThat(scraped.lines().filter(line -> !line.startsWith("#")))
        .allSatisfy(line -> assertThat(line).startsWith("orrery_"));
    assertThat(scraped).doesNotContain(experiment);
    trials.forEach(trial -> assertThat(scraped).doesNotContain(trial.get("id").toString()));
  }

  @Test
  void rulesAndDashboardLookAtWhatIsThere() throws IOException {
    Set<String> known = new TreeSet<>();
    scraped
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(line -> known.add(line.replaceAll("[{ ].*", "")));
    routed
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(line -> known.add(line.replaceAll("[{ ].*", "")));
    // Seen only when something went wrong, where several servers share their work, and with TLS.
    known.add("orrery_metric_refused_points_total");
    known.addAll(Set.of("orrery_leases", "orrery_leases_lost_total"));
    known.add("orrery_certificate_end_seconds");
    // Seen once a router has tried again.
    assertThat(routed).contains("# TYPE orrery_router_retries_total counter");
    known.add("orrery_router_retries_total");

    Set<String> asked = new TreeSet<>();
    List<String> files = new ArrayList<>(BOARDS);
    files.add("prometheus/alerts.yml");
    for (String file : files) {
      OURS.matcher(Files.readString(DEPLOY.resolve(file)))
          .results()
          .forEach(match -> asked.add(match.group()));
    }

    assertThat(asked).hasSizeGreaterThan(15);
    assertThat(known).containsAll(asked);
    assertThat(Document.read(Files.readString(DEPLOY.resolve("prometheus/alerts.yml"))).root())
        .isNotEmpty();
    for (String board : BOARDS) {
      String text = Files.readString(DEPLOY.resolve(board));
      assertThat(Json.parse(text).path("panels")).isNotEmpty();
      assertThat(CALL.matcher(text).results().map(match -> match.group(1)))
          .as("calls of %s", board)
          .allSatisfy(call -> assertThat(scraped).contains("call=\"" + call + "\""));
    }
  }

  @Test
  void eachAlertHasARunbook() throws IOException {
    String alerts = Files.readString(DEPLOY.resolve("prometheus/alerts.yml"));
    List<String> names = ALERT.matcher(alerts).results().map(match -> match.group(1)).toList();
    assertThat(names).hasSizeGreaterThan(10);
    assertThat(RUNBOOK.matcher(alerts).results().map(match -> match.group(1)))
        .containsExactlyElementsOf(
            names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList());
    String runbooks = Files.readString(DEPLOY.resolve("../docs/how-to/runbooks.md"));
    assertThat(HEADING.matcher(runbooks).results().map(match -> match.group(1)))
        .containsExactlyElementsOf(names);
  }

  @Test
  void promtoolFindsNothingWrong(@TempDir Path directory) throws Exception {
    assumeThat(promtool(directory, null, "--version").code()).as("promtool is installed").isZero();
    Path file = Files.writeString(directory.resolve("scraped"), scraped);

    assertThat(promtool(directory, file, "check", "metrics")).isEqualTo(new Said(0, ""));
    String rules = DEPLOY.resolve("prometheus/alerts.yml").toString();
    assertThat(promtool(directory, null, "check", "rules", rules).code()).isZero();
    String config = DEPLOY.resolve("prometheus/prometheus.yml").toString();
    assertThat(promtool(directory, null, "check", "config", config).code()).isZero();
    int query = 0;
    List<JsonNode> expressions = new ArrayList<>();
    for (String board : BOARDS) {
      expressions.addAll(Json.parse(Files.readString(DEPLOY.resolve(board))).findValues("expr"));
    }
    StringBuilder queries = new StringBuilder("groups:\n  - name: board\n    rules:\n");
    for (JsonNode expression : expressions) {
      queries
          .append("      - record: q")
          .append(query++)
          .append("\n        expr: ")
          .append(
              Json.write(expression.textValue().replace("$__rate_interval", "1m").replace("$", "")))
          .append('\n');
    }
    Path board1 = Files.writeString(directory.resolve("board.yml"), queries);
    Said said = promtool(directory, null, "check", "rules", board1.toString());
    assertThat(said.code()).as(said.text()).isZero();
  }

  private record Said(int code, String text) {}

  private static Said promtool(Path directory, Path input, String... arguments)
      throws InterruptedException {
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    Path output = directory.resolve("said");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
      if (input != null) {
        builder.redirectInput(input.toFile());
      }
      int code = builder.start().waitFor();
      return new Said(code, Files.readString(output));
    } catch (IOException e) {
      return new Said(-1, String.valueOf(e.getMessage()));
    }
  }
}
