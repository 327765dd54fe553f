package io.orrery.gateway;

import static io.orrery.gateway.EdgeServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.orrery.core.access.UserRole;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Trials;
import io.orrery.gateway.auth.AccessToken;
import io.orrery.gateway.http.EdgeOptions;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** An edge that asks for tokens. */
class AuthIT {
  private static final String LIST = "/api/v1/experiments";
  private static final String SESSION = "/api/v1/session";
  private static final BearerToken ADMIN = new BearerToken("admin's own secret");
  private static final BearerToken VIEWER = new BearerToken("viewer's own secret");

  private EdgeServer edge;

  @BeforeEach
  void start() throws Exception {
    edge =
        EdgeServer.start(
            EdgeOptions.loopback(0),
            List.of(
                AccessToken.of("ci", UserRole.ADMIN, ADMIN),
                AccessToken.of("wall", UserRole.VIEWER, VIEWER)));
    edge.answer(Experiments.LIST, new Experiments.Page(List.of(), null));
    edge.answer(Experiments.CREATE, new Experiments.Created(null, Samples.spec(), List.of()));
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Bearer ", "Bearer wrong", "Basic YTpi", "admin's own secret"})
  void whoShowsNoKnownTokenIsNotServed(String header) throws Exception {
    HttpRequest.Builder request = edge.request(LIST);
    if (!header.isEmpty()) {
      request.header("Authorization", header);
    }

    HttpResponse<String> answer = send(request);

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(json(answer).at("/type").asText()).isEqualTo("/problems/unauthorized");
    assertThat(edge.questions).isEmpty();
  }

  @Test
  void anAdminIsServed() throws Exception {
    assertThat(send(with(ADMIN, LIST)).statusCode()).isEqualTo(200);
    assertThat(send(with(ADMIN, LIST + "?dryRun").POST(BodyPublishers.ofString("{}"))).statusCode())
        .isEqualTo(200);
  }

  @Test
  void theSchemeIsFoundWhateverItsCase() throws Exception {
    assertThat(send(edge.request(LIST).header("Authorization", "bearer " + ADMIN.text())))
        .extracting(HttpResponse::statusCode)
        .isEqualTo(200);
  }

  @Test
  void aViewerLooksAndChangesNothing() throws Exception {
    assertThat(send(with(VIEWER, LIST)).statusCode()).isEqualTo(200);
    assertThat(send(with(VIEWER, LIST).HEAD()).statusCode()).isEqualTo(200);
    edge.questions.clear();

    for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
      HttpResponse<String> answer =
          send(with(VIEWER, LIST).method(method, BodyPublishers.ofString("{}")));

      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    }
    assertThat(edge.questions).isEmpty();
  }

  @Test
  void aViewerOpensNoWebSocket() throws Exception {
    String answer =
        edge.ask(
            "GET /api/v1/metrics/stream",
            "Host: localhost",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Authorization: Bearer " + VIEWER.text());

    assertThat(answer).startsWith("HTTP/1.1 403");
  }

  @Test
  void onlyAnAdminSeesTheServersLog() throws Exception {
    assertThat(send(with(ADMIN, "/api/v1/logs")).statusCode()).isEqualTo(200);
    assertThat(send(with(VIEWER, "/api/v1/logs")).statusCode()).isEqualTo(403);
    assertThat(send(with(VIEWER, "/api/v1/%6Cogs")).statusCode()).isEqualTo(403);
    assertThat(edge.get("/api/v1/logs").statusCode()).isEqualTo(401);
  }

  @ParameterizedTest
  @CsvSource({"/health/live, 200", "/health/ready, 200", "/login, 200"})
  void healthAndLoginAreOpen(String path, int status) throws Exception {
    assertThat(edge.get(path).statusCode()).isEqualTo(status);
  }

  @Test
  void aTrialsChannelAsksForTheTrialsTokenAlone() throws Exception {
    edge.answer(Trials.GET, Samples.running(Samples.THEN));
    String metric =
        "{\"type\":\"metric\",\"metric\":\"{\\\"parameter_id\\\":17,\\\"trial_job_id\\\":\\\"abcde\\\","
            + "\\\"type\\\":\\\"FINAL\\\",\\\"sequence\\\":0,\\\"value\\\":\\\"0.93\\\"}\"}";

    assertThat(edge.send("PUT", "/trial/" + edge.tokens.of(Samples.ATTEMPT), metric).statusCode())
        .isEqualTo(200);
    assertThat(edge.send("PUT", "/trial/abc.def.1.forged", metric).statusCode()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/trial/x/../../api/v1/experiments",
        "/trial/../api/v1/experiments",
        "/trial/x/%2e%2e/%2e%2e/api/v1/experiments",
        "/trial/..%2fapi/v1/experiments",
        "/trial/api/v1/nni/experiments-info",
        "/trial/x/api/v1/nni/experiments-info",
        "/health/live/../../api/v1/experiments",
        "/health/../api/v1/experiments",
        "//api/v1/experiments",
        "/./api/v1/experiments",
        "/api/v1/session/../experiments",
        "/login/../api/v1/experiments",
        "/api/v1/experiments/",
        "http://localhost/api/v1/experiments",
        "/",
        "/nowhere"
      })
  void noSpellingOfAPathGetsPast(String path) throws Exception {
    assertThat(edge.ask("GET " + path, "Host: localhost")).startsWith("HTTP/1.1 401");
    assertThat(edge.questions).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/keeper/outputs/../../api/v1/experiments",
        "/keeper/outputs/%2e%2E/.%2e/api/v1/experiments",
        "/keeper/outputs/x/../../../api/v1/experiments",
        "/keeper/outputs/..%2f..%2fapi/v1/experiments",
        "/keeper/api/v1/nni/experiments-info",
        "/keeper/../api/v1/experiments",
        "/keeper//../../api/v1/experiments",
        "/api/v1/nni-pai/version/../../experiments",
        "/api/v1/metrics/../experiments"
      })
  void noSpellingLeadsTheKeeperOfATrialElsewhere(String path) throws Exception {
    String token = "Authorization: Bearer " + edge.tokens.of(Samples.ATTEMPT);

    assertThat(edge.ask("GET " + path, "Host: localhost", token)).startsWith("HTTP/1.1 401");
    assertThat(edge.questions).isEmpty();
  }

  @Test
  void aTokenInTheAddressCountsForNothing() throws Exception {
    assertThat(edge.get(LIST + "?token=" + "admin").statusCode()).isEqualTo(401);
    assertThat(edge.get(LIST + "?access_token=" + "admin").statusCode()).isEqualTo(401);
  }

  @Test
  void aSessionStandsForItsToken() throws Exception {
    HttpResponse<String> login = login(ADMIN);
    String cookie = login.headers().firstValue("Set-Cookie").orElseThrow();

    assertThat(login.statusCode()).isEqualTo(204);
    assertThat(cookie)
        .containsIgnoringCase("HttpOnly")
        .contains("SameSite=Strict", "Path=/", "Max-Age=43200")
        .doesNotContain(ADMIN.text(), "Secure");
    assertThat(send(with(cookie, LIST)).statusCode()).isEqualTo(200);
    assertThat(json(send(with(cookie, SESSION))).toString())
        .isEqualTo(
            "{\"required\":true,\"users\":false,\"passwords\":false,\"openId\":false,\"name\":\"ci\",\"role\":\"admin\"}");
  }

  @Test
  void aSessionOfAViewerChangesNothing() throws Exception {
    String cookie = login(VIEWER).headers().firstValue("Set-Cookie").orElseThrow();

    assertThat(send(with(cookie, LIST)).statusCode()).isEqualTo(200);
    assertThat(send(with(cookie, LIST).POST(BodyPublishers.ofString("{}"))).statusCode())
        .isEqualTo(403);
  }

  @Test
  void anEndedSessionIsWorthNothing() throws Exception {
    String cookie = login(ADMIN).headers().firstValue("Set-Cookie").orElseThrow();

    HttpResponse<String> logout = send(with(cookie, SESSION).DELETE());

    assertThat(logout.statusCode()).isEqualTo(204);
    assertThat(logout.headers().firstValue("Set-Cookie").orElseThrow()).contains("Max-Age=0");
    assertThat(send(with(cookie, LIST)).statusCode()).isEqualTo(401);
  }

  @Test
  void aForeignPageCannotUseASession() throws Exception {
    String cookie = login(ADMIN).headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
    String answer =
        edge.ask(
            "DELETE /api/v1/experiments/digits01",
            "Host: localhost",
            "Origin: http://evil.example",
            "Cookie: " + cookie);

    assertThat(answer).startsWith("HTTP/1.1 403");
    assertThat(edge.questions).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"{\"token\": \"wrong\"}; 401", "{}; 400", "{\"token\": 7}; 400", "x; 400"})
  void aLoginWithoutAKnownTokenOpensNothing(String body, int status) throws Exception {
    HttpResponse<String> answer = edge.post(SESSION, body);

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
  }

  @Test
  void aLoginIsNoPlaceForLargeBodies() throws Exception {
    HttpResponse<String> answer = edge.post(SESSION, "x".repeat(4_097));

    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("4,096 bytes");
  }

  @Test
  void aBrowserIsSentToAFormThatWorksWithoutScript() throws Exception {
    HttpResponse<String> page = send(edge.request("/").header("Accept", "text/html,*/*"));
    assertThat(page.statusCode()).isEqualTo(303);
    assertThat(page.headers().firstValue("Location")).hasValue("login");
    assertThat(edge.get("/login").body()).contains("<form method=\"post\"");

    assertThat(form("token=wrong").headers().firstValue("Location"))
        .hasValue("../../login?unknown");
    assertThat(edge.get("/login?unknown").body()).contains("does not know that token");

    HttpResponse<String> login = form("token=admin%27s+own+secret");
    assertThat(login.statusCode()).isEqualTo(303);
    assertThat(login.headers().firstValue("Location")).hasValue("../../");
    assertThat(send(with(login.headers().firstValue("Set-Cookie").orElseThrow(), LIST)))
        .extracting(HttpResponse::statusCode)
        .isEqualTo(200);
  }

  @Test
  void anAddressThatGuessesIsSoonNotListenedToButItsRightTokensAre() throws Exception {
    for (int i = 0; i < 10; i++) {
      assertThat(send(with(new BearerToken("guess" + i), LIST)).statusCode()).isEqualTo(401);
    }

    HttpResponse<String> answer = send(with(new BearerToken("guess"), LIST));

    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(1L, 6L);
    assertThat(edge.post(SESSION, "{\"token\":\"x\"}").statusCode()).isEqualTo(429);
    assertThat(edge.get("/health/live").statusCode()).isEqualTo(200);
    assertThat(send(with(ADMIN, LIST)).statusCode()).isEqualTo(200);
  }

  @Test
  void noTokenAppearsInLogsOrAnswers() throws Exception {
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    Level before = root.getLevel();
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    root.setLevel(Level.DEBUG);
    root.addAppender(log);
    StringBuilder answers = new StringBuilder();
    try {
      edge.on(
          Experiments.GET,
          question -> {
            throw new IllegalStateException("a fault");
          });
      answers.append(send(with(ADMIN, LIST + "/digits01")).body());
      answers.append(send(with(new BearerToken("misspelt-secret"), LIST)).body());
      answers.append(edge.post(SESSION, "{\"token\":\"misspelt-secret\"}").body());
      answers.append(edge.post(SESSION, "\"misspelt-secret").body());
      String inAddress = "?token=misspelt-secret";
      answers.append(send(with(ADMIN, LIST + "/digits01" + inAddress)).body());
      answers.append(edge.get(LIST + inAddress).body());
      answers.append(edge.get("/trial/misspelt-secret/" + inAddress).body());
      answers.append(edge.get("/keeper/misspelt-secret" + inAddress).body());
    } finally {
      root.detachAppender(log);
      root.setLevel(before);
    }
    String ours =
        log.list.stream()
            .filter(event -> event.getLoggerName().startsWith("io.orrery"))
            .map(event -> event.getFormattedMessage() + event.getThrowableProxy())
            .reduce("", String::concat);

    assertThat(ours).contains("a fault").doesNotContain(ADMIN.text(), "misspelt-secret");
    assertThat(answers.toString()).doesNotContain(ADMIN.text(), "misspelt-secret");
  }

  @Test
  void withoutTokensNoCallerIsAsked() throws Exception {
    EdgeServer open = EdgeServer.start();
    try {
      assertThat(open.get(SESSION).body())
          .isEqualTo("{\"required\":false,\"users\":false,\"passwords\":false,\"openId\":false}");
      assertThat(open.post(SESSION, "{\"token\":\"x\"}").statusCode()).isEqualTo(409);
    } finally {
      open.close();
    }
  }

  private HttpResponse<String> login(BearerToken token) throws Exception {
    return edge.post(SESSION, "{\"token\": \"" + token.text() + "\"}");
  }

  private HttpResponse<String> form(String body) throws Exception {
    return send(
        edge.request(SESSION)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(body)));
  }

  private HttpRequest.Builder with(BearerToken token, String path) {
    return edge.request(path).header("Authorization", "Bearer " + token.text());
  }

  private HttpRequest.Builder with(String cookie, String path) {
    return edge.request(path).header("Cookie", cookie.split(";")[0]);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return edge.client().send(request.build(), BodyHandlers.ofString());
  }
}
