package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Sends alerts about runs to a real receiver that refuses, hangs, and takes. */
@Timeout(180)
class AlertJourneyIT extends PipelineJourney {
  private static final String KEY = "kestrel-77-orchid";
  private static final String PATH = "/in/walnut-12-ferry";
  private static final String FAILING =
      """
      {"tasks": [{"name": "a", "command": "exit 3"}], "alerts": {"webhook": "secret:hook"}}
      """;

  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private HttpServer receiver;

  /** A request as the receiver saw it. */
  private record Received(String id, String timestamp, String signature, String body) {
    JsonNode json() {
      return Json.parse(body);
    }
  }

  @Override
  void configure() throws Exception {
    Files.writeString(home().resolve("orrery.yml"), "alerts: {networks: [127.0.0.1]}\n");
  }

  @BeforeEach
  void receive() throws Exception {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.setExecutor(threads);
    receiver.createContext(PATH, this::take);
    receiver.start();
  }

  @AfterEach
  void end() {
    over.countDown();
    receiver.stop(0);
    threads.close();
  }

  /** Refuses the first request, never answers the second, and takes all others. */
  private void take(HttpExchange exchange) throws IOException {
    received.add(
        new Received(
            exchange.getRequestHeaders().getFirst("webhook-id"),
            exchange.getRequestHeaders().getFirst("webhook-timestamp"),
            exchange.getRequestHeaders().getFirst("webhook-signature"),
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
    int count = received.size();
    if (count == 2) {
      try {
        over.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    exchange.sendResponseHeaders(count == 1 ? 503 : 204, -1);
    exchange.close();
  }

  private void secret() throws Exception {
    String value = "http://127.0.0.1:%d%s %s".formatted(receiver.getAddress().getPort(), PATH, KEY);
    HttpResponse<String> put =
        server.send(
            "PUT",
            "/projects/public/secrets/hook",
            BodyPublishers.ofString(Json.write(Map.of("value", value))));
    assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
  }

  private JsonNode alert(String run) throws Exception {
    return run(run).path("alerts").path(0);
  }

  private static void assertSigned(Received each) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(KEY.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      String signed = each.id() + "." + each.timestamp() + "." + each.body();
      assertThat(each.signature())
          .isEqualTo(
              "v1,"
                  + Base64.getEncoder()
                      .encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8))));
    } catch (java.security.GeneralSecurityException e) {
      throw new AssertionError(e);
    }
    assertThat(Instant.ofEpochSecond(Long.parseLong(each.timestamp())))
        .isBetween(Instant.now().minusSeconds(120), Instant.now().plusSeconds(1));
  }

  private static boolean has(Path file, String text) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException e) {
      // A file of the database that has gone since.
      return false;
    }
  }

  @Test
  void anAlertArrivesUnderOneNameThoughItsReceiverFailsAndTheServerIsKilled() throws Exception {
    secret();
    put("fails", FAILING);
    String id = run("fails", "{}");
    await()
        .atMost(PATIENCE)
        .until(() ->
            !alert(id).path("outcome").isMissingNode() && alert(id).path("attempts").asInt() == 1);
    assertThat(alert(id).path("state").asText()).isEqualTo("WAITING");
    assertThat(alert(id).path("outcome").asText()).isEqualTo("the receiver answered 503");
    assertThat(alert(id).path("nextAt").isTextual()).isTrue();

    await().atMost(PATIENCE).until(() -> received.size() == 2);
    server.kill();
    begin();
    await().atMost(PATIENCE).until(() -> alert(id).path("state").asText().equals("DELIVERED"));

    assertThat(received).hasSize(3).allSatisfy(AlertJourneyIT::assertSigned);
    assertThat(received).extracting(Received::id).containsOnly(alert(id).path("id").asText());
    assertThat(received).extracting(Received::body).containsOnly(received.getFirst().body());
    JsonNode told = received.getFirst().json();
    assertThat(told.path("run").asText()).isEqualTo(id);
    assertThat(told.path("status").asText()).isEqualTo("FAILED");
    assertThat(told.path("pipeline").asText()).isEqualTo("fails");
    assertThat(told.path("error").asText()).isEqualTo(run(id).path("error").asText()).isNotEmpty();
    assertThat(alert(id).path("nextAt").isNull()).isTrue();

    assertThat(run(id).toString()).doesNotContain(KEY, PATH);
    assertThat(server.log()).doesNotContain(KEY, PATH);
    try (Stream<Path> files = Files.walk(home())) {
      assertThat(files.filter(Files::isRegularFile))
          .noneMatch(file -> has(file, KEY) || has(file, PATH));
    }
  }

  @Test
  void onlyChosenStatusesAreToldAndEachEndOfARunOnce() throws Exception {
    secret();
    Path good = temp.resolve("good");
    put(
        "chosen",
        """
        {"tasks": [{"name": "a", "command": %s}],
         "alerts": {"on": ["SUCCEEDED", "FAILED"], "webhook": "secret:hook"}}
        """
            .formatted(Json.write("test -e " + quoted(good))));
    String id = run("chosen", "{}");
    assertThat(awaitEnd(id).path("status").asText()).isEqualTo("FAILED");
    Files.createFile(good);
    server.post("/runs/" + id + "/retry", "{}");
    await().atMost(PATIENCE).until(() -> run(id).path("status").asText().equals("SUCCEEDED"));

    JsonNode alerts = run(id).path("alerts");
    assertThat(alerts)
        .extracting(each -> each.path("status").asText())
        .containsExactly("FAILED", "SUCCEEDED");
    assertThat(server.send("DELETE", "/runs/" + id, BodyPublishers.noBody()).statusCode())
        .isEqualTo(204);
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aNetworkThatIsNotAllowedIsRefusedAndSaid() throws Exception {
    server.close();
    Files.delete(home().resolve("orrery.yml"));
    begin();
    secret();
    put("fails", FAILING);
    String id = run("fails", "{}");

    await().atMost(PATIENCE).until(() -> alert(id).path("attempts").asInt() > 0);

    assertThat(alert(id).path("outcome").asText()).contains("alerts.networks");
    assertThat(received).isEmpty();
  }

  @Test
  void aDocumentWithWrongAlertsIsRefusedWithEachPlace() throws Exception {
    HttpResponse<String> missing =
        server.send("PUT", "/pipelines/fails", BodyPublishers.ofString(FAILING));
    assertThat(missing.statusCode()).isEqualTo(400);
    assertThat(missing.body())
        .contains("/alerts/webhook", "project public has no secret hook: set it");

    HttpResponse<String> wrong =
        server.send(
            "PUT",
            "/pipelines/fails",
            BodyPublishers.ofString(
                """
                {"tasks": [{"name": "a", "command": "exit 3"}], "alerts": {"on": ["FAILD"],
                 "webhook": "https://example.com/hook", "mail": ["ann"], "of": 1}}
                """));
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(Json.parse(wrong.body()).path("errors"))
        .extracting(each -> each.path("pointer").asText())
        .containsExactlyInAnyOrder("/alerts/of", "/alerts/mail", "/alerts/on", "/alerts/webhook");
    assertThat(wrong.body()).contains("FAILED");
  }

  @Test
  void alertsByMailAreRefusedWhereNoServerForMailIsNamed() throws Exception {
    String mail =
        """
        {"tasks": [{"name": "a", "command": "exit 3"}], "alerts": {"mail": ["ann@example.com"]}}
        """;
    for (String path : List.of("/pipelines/mails?dryRun=true", "/pipelines/mails")) {
      HttpResponse<String> refused = server.send("PUT", path, BodyPublishers.ofString(mail));
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(Json.parse(refused.body()).at("/errors/0/pointer").asText())
          .isEqualTo("/alerts/mail");
      assertThat(refused.body()).contains("an administrator set mail.host");
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aDueRunThatIsSkippedIsTold() throws Exception {
    secret();
    put(
        "waits",
        """
        {"tasks": [{"name": "a", "command": "sleep 300"}],
         "schedule": {"cron": "* * * * * *", "maxActiveRuns": 1},
         "alerts": {"on": ["SKIPPED"], "webhook": "secret:hook"}}
        """);
    String waiting = "/due-runs?pipeline=waits&status=comed";
    // One that runs holds the others back.
    await()
        .atMost(PATIENCE)
        .until(
            () -> server.get(waiting).at("/items/0/reason").asText().contains("maxActiveRuns: 1"));
    server.post("/pipelines/waits/schedule/pause", "{}");
    String id = server.get(waiting).path("items").path(0).path("id").asText();
    server.post("/due-runs/" + id + "/skip", "{}");
    await()
        .atMost(PATIENCE)
        .until(() ->
            server.get("/pipelines/waits/schedule").path("alerts").path(0).path("attempts").asInt()
                > 0);

    assertThat(received).hasSize(1).allSatisfy(AlertJourneyIT::assertSigned);
    JsonNode told = received.getFirst().json();
    assertThat(told.path("status").asText()).isEqualTo("SKIPPED");
    assertThat(told.path("dueRun").asText()).isEqualTo(id);
    assertThat(told.path("reason").asText()).startsWith("skipped by ");
  }
}
