package io.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.access.UserRole;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Trials;
import io.orrery.gateway.auth.AccessToken;
import io.orrery.gateway.http.BehindProxy;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.http.Network;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The addresses of an edge that a proxy serves below a path (G8). */
class BasePathIT {
  private static final String LIST = "/api/v1/experiments";
  private static final String SESSION = "/api/v1/session";
  private static final String PREFIX = "X-Forwarded-Prefix";
  private static final BearerToken ADMIN = new BearerToken("admin's own secret");

  private EdgeServer edge;

  @BeforeEach
  void start() throws Exception {
    edge = edge(List.of(Network.parse("127.0.0.0/8")));
  }

  private static EdgeServer edge(List<Network> trusted) throws Exception {
    EdgeServer edge =
        EdgeServer.start(
            EdgeOptions.loopback(0).withProxy(new BehindProxy("/tune", trusted)),
            List.of(AccessToken.of("ci", UserRole.ADMIN, ADMIN)));
    edge.answer(Experiments.LIST, new Experiments.Page(List.of(), null));
    edge.answer(
        Experiments.CREATE,
        new Experiments.Created(Samples.experiment(), Samples.spec(), List.of()));
    return edge;
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  private static HttpResponse<String> send(EdgeServer to, HttpRequest.Builder request)
      throws Exception {
    return to.client().send(request.build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder create(String path) {
    return edge.request(path)
        .header("Authorization", "Bearer " + ADMIN.text())
        .POST(BodyPublishers.ofString("{}"));
  }

  private static String location(HttpResponse<String> answer) {
    return answer.headers().firstValue("Location").orElse("");
  }

  private static HttpRequest.Builder login(EdgeServer to, String path) {
    return to.request(path).POST(BodyPublishers.ofString("{\"token\": \"" + ADMIN.text() + "\"}"));
  }

  private static String cookie(HttpResponse<String> answer) {
    return answer.headers().firstValue("Set-Cookie").orElse("");
  }

  @Test
  void aRequestMayCarryTheBasePathOrNot() throws Exception {
    assertThat(send(edge, create("/tune" + LIST)).statusCode()).isEqualTo(201);
    assertThat(send(edge, create(LIST)).statusCode()).isEqualTo(201);
    assertThat(send(edge, create("/tuner-not-tune" + LIST)).statusCode()).isEqualTo(404);
    assertThat(send(edge, edge.request("/tune/health/live")).statusCode()).isEqualTo(200);
  }

  @Test
  void whatIsAskedForATokenIsAskedForItBelowTheBasePathToo() throws Exception {
    HttpResponse<String> answer = send(edge, edge.request("/tune" + LIST));

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.body()).contains("log in at /tune/login");
  }

  @Test
  void theAddressOfWhatWasCreatedHasThePrefixThatItsReaderUses() throws Exception {
    assertThat(location(send(edge, create("/tune" + LIST)))).startsWith("/tune" + LIST + "/");
    assertThat(location(send(edge, create(LIST)))).startsWith("/tune" + LIST + "/");
    assertThat(location(send(edge, create(LIST).header(PREFIX, "/models/"))))
        .startsWith("/models" + LIST + "/");
    assertThat(location(send(edge, create("/models" + LIST).header(PREFIX, "/models"))))
        .startsWith("/models" + LIST + "/");
    assertThat(location(send(edge, create("/tune" + LIST).header(PREFIX, "/models"))))
        .as("one proxy took its path away, the one behind it left its own")
        .startsWith("/models/tune" + LIST + "/");
    assertThat(location(send(edge, create(LIST).header(PREFIX, "/api"))))
        .as("a prefix that looks like an address of ours")
        .startsWith("/api" + LIST + "/");
  }

  @Test
  void theCookieIsForThePathOfTheProxy() throws Exception {
    assertThat(cookie(send(edge, login(edge, "/tune" + SESSION)))).contains("Path=/tune/;");
    HttpResponse<String> forwarded = send(edge, login(edge, SESSION).header(PREFIX, "/models"));
    assertThat(cookie(forwarded)).contains("Path=/models/;");
    String secret = cookie(forwarded).replaceAll(";.*", "");

    HttpResponse<String> ended =
        send(
            edge,
            edge.request(SESSION).header("Cookie", secret).header(PREFIX, "/models").DELETE());

    assertThat(cookie(ended)).contains("Path=/models/;").contains("Max-Age=0");
    assertThat(send(edge, edge.request(LIST).header("Cookie", secret)).statusCode()).isEqualTo(401);
  }

  @Test
  void aPrefixThatAStrangerNamesIsNotBelieved() throws Exception {
    edge.close();
    edge = edge(List.of(Network.parse("10.0.0.0/8"), Network.parse("::1")));

    assertThat(cookie(send(edge, login(edge, SESSION).header(PREFIX, "/evil"))))
        .contains("Path=/tune/;");
    assertThat(location(send(edge, create(LIST).header(PREFIX, "//evil.example"))))
        .startsWith("/tune" + LIST + "/");
  }

  @ParameterizedTest
  @ValueSource(strings = {"//evil.example", "tune", "/a/../b", "/a b", "/a?b", "/a;Path=/"})
  void aPrefixThatIsNoPathIsRefused(String wrong) throws Exception {
    HttpResponse<String> answer = send(edge, create(LIST).header(PREFIX, wrong));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("X-Forwarded-Prefix is one path");
    assertThat(edge.questions).isEmpty();
  }

  @Test
  void theBasePathWithoutASlashLeadsToThePage() throws Exception {
    HttpResponse<String> answer = send(edge, edge.request("/tune?x=1"));

    assertThat(answer.statusCode()).isEqualTo(308);
    assertThat(location(answer)).isEqualTo("tune/?x=1");
  }

  @Test
  void aWebSocketWorksBelowTheBasePath() throws Exception {
    edge.answer(Trials.GET, Samples.trial());
    BlockingQueue<String> said = new LinkedBlockingQueue<>();
    WebSocketClient client = edge.vertx.createWebSocketClient();
    WebSocket socket =
        client
            .connect(
                new WebSocketConnectOptions()
                    .setHost("127.0.0.1")
                    .setPort(edge.port())
                    .setURI("/tune/api/v1/metrics/stream")
                    .putHeader("Authorization", "Bearer " + ADMIN.text()))
            .await(10, TimeUnit.SECONDS);
    socket.textMessageHandler(said::add);

    socket
        .writeTextMessage(
            "{\"trial\":\"digits01/abcde\",\"kind\":\"intermediate\",\"sequence\":0,\"value\":0.5}")
        .await(10, TimeUnit.SECONDS);

    assertThat(said.poll(10, TimeUnit.SECONDS)).contains("ack");
    client.close().await(10, TimeUnit.SECONDS);
  }

  @Test
  void aBasePathThatHidesAddressesOfTheServerIsRefusedAtItsStart() {
    assertThatThrownBy(() ->
            EdgeServer.start(
                EdgeOptions.loopback(0).withProxy(new BehindProxy("/api/tune", List.of()))))
        .hasMessageContaining("http.basePath is /api/tune");
  }
}
