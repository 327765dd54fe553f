package io.orrery.gateway;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.UserRole;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.trial.TrialStatus;
import io.orrery.gateway.auth.AccessToken;
import io.orrery.gateway.http.EdgeOptions;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which caller may report what, on an edge that asks for tokens. */
class MetricSenderIT {
  private static final String METRICS = "/api/v1/metrics";
  private static final BearerToken ADMIN = new BearerToken("admin's own secret");
  private static final BearerToken VIEWER = new BearerToken("viewer's own secret");
  private static final String OWN = line("digits01/abcde", "");
  private static final AttemptRef SECOND = new AttemptRef(Samples.TRIAL, 2);

  private final AtomicInteger attempt = new AtomicInteger(3);
  private EdgeServer edge;

  @BeforeEach
  void start() throws Exception {
    edge =
        EdgeServer.start(
            EdgeOptions.loopback(0),
            List.of(
                AccessToken.of("ci", UserRole.ADMIN, ADMIN),
                AccessToken.of("wall", UserRole.VIEWER, VIEWER)));
    edge.on(
        Trials.GET,
        question ->
            Future.succeededFuture(
                Samples.trial(TrialStatus.RUNNING, attempt.get(), null, Samples.THEN)));
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  private static String line(String trial, String more) {
    return "{\"trial\":\""
        + trial
        + "\",\"kind\":\"final\",\"sequence\":0,\"value\":1"
        + more
        + "}";
  }

  private HttpResponse<String> post(String token, String lines) throws Exception {
    return edge.client()
        .send(
            edge.request(METRICS)
                .header("Authorization", "Bearer " + token)
                .POST(BodyPublishers.ofString(lines))
                .build(),
            BodyHandlers.ofString());
  }

  @Test
  void anAdminReportsForAnyTrial() throws Exception {
    assertThat(post(ADMIN.text(), OWN + "\n" + line("digits01/other", "")).statusCode())
        .isEqualTo(200);
  }

  @Test
  void aTrialReportsForTheAttemptOfItsToken() throws Exception {
    assertThat(post(edge.tokens.of(SECOND), OWN).statusCode()).isEqualTo(200);

    assertThat(edge.sink.points).extracting(MetricPoint::attempt).containsExactly(SECOND);
  }

  @Test
  void theTokenOfALaterAttemptThanTheKnownOneIsNewsOfIt() throws Exception {
    assertThat(post(edge.tokens.of(SECOND), OWN).statusCode()).isEqualTo(200);
    AttemptRef fourth = new AttemptRef(Samples.TRIAL, 4);
    assertThat(post(edge.tokens.of(fourth), OWN).statusCode()).isEqualTo(400);
    attempt.set(4);

    assertThat(post(edge.tokens.of(fourth), OWN).statusCode()).isEqualTo(200);

    assertThat(edge.sink.points).extracting(MetricPoint::attempt).containsExactly(SECOND, fourth);
  }

  @Test
  void aTrialReportsOnlyForItself() throws Exception {
    for (String foreign :
        List.of(
            line("digits01/other", ""),
            line("digits02/abcde", ""),
            line("digits01/abcde", ",\"attempt\":3"))) {
      HttpResponse<String> answer = post(edge.tokens.of(SECOND), OWN + "\n" + foreign);

      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.body()).contains("line 2");
    }
    assertThat(edge.sink.points).isEmpty();
  }

  @Test
  void aTrialsTokenOpensNothingElse() throws Exception {
    for (String path :
        List.of("/api/v1/experiments", "/api/v1/metrics/", "/metrics", "/api/v1/metrics/x")) {
      HttpResponse<String> answer =
          edge.client()
              .send(
                  edge.request(path)
                      .header("Authorization", "Bearer " + edge.tokens.of(SECOND))
                      .build(),
                  BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(path).isEqualTo(401);
    }
  }

  @Test
  void aForgedTokenAndAViewersReportNothing() throws Exception {
    String forged = edge.tokens.of(SECOND).replace(".2.", ".1.");

    assertThat(post(forged, OWN).statusCode()).isEqualTo(401);
    assertThat(post(VIEWER.text(), OWN).statusCode()).isEqualTo(403);
    assertThat(edge.post(METRICS, OWN).statusCode()).isEqualTo(401);
    assertThat(edge.sink.points).isEmpty();
  }

  @Test
  void aStreamOfATrialIsItsOwn() throws Exception {
    BlockingQueue<String> said = new LinkedBlockingQueue<>();
    WebSocketClient client = edge.vertx.createWebSocketClient();
    WebSocket socket =
        client
            .connect(
                new WebSocketConnectOptions()
                    .setHost("127.0.0.1")
                    .setPort(edge.port())
                    .setURI(METRICS + "/stream")
                    .addHeader(HttpHeaders.AUTHORIZATION, "Bearer " + edge.tokens.of(SECOND)))
            .await(10, SECONDS);
    socket.textMessageHandler(said::add);

    socket.writeTextMessage(OWN).await(10, SECONDS);
    assertThat(said.poll(10, SECONDS)).isEqualTo("{\"ack\":1}");
    socket.writeTextMessage(line("digits01/other", "")).await(10, SECONDS);
    assertThat(said.poll(10, SECONDS)).contains("error").contains("line 2");

    assertThat(edge.sink.points).extracting(MetricPoint::attempt).containsExactly(SECOND);
    client.close().await(10, SECONDS);
  }
}
