package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.http.ClientVertx;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A guarded service in the table of a server: a ticket of its API, and a pass of its router. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class GuardedRouteIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int REQUESTS = 10_000;
  private static final int AT_ONCE = 5;
  private static final int ROUNDS = 12;

  @TempDir Path temp;
  private final Vertx vertx = ClientVertx.create();
  private final HttpClient http = vertx.createHttpClient();
  private HttpServer endpoint;
  private ServerProcess server;

  @BeforeEach
  void start() throws Exception {
    endpoint =
        vertx
            .createHttpServer()
            .requestHandler(request ->
                request.response().end(String.valueOf(request.getHeader("Authorization"))))
            .listen(0, "127.0.0.1")
            .await(10, TimeUnit.SECONDS);
    begin();
  }

  private void begin() throws Exception {
    Path home = Files.createDirectories(temp.resolve("home"));
    server =
        ServerProcess.begin(home, List.of("--port", "0", "--router-port", "0"), Map.of()).ready();
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  private void put(int epoch) throws Exception {
    String table =
        """
        services:
          - {name: lab, endpoints: ["127.0.0.1:%d"], access: {audience: lab, epoch: %d}, inject: {authorization: derived}}
          - {name: plain, endpoints: ["127.0.0.1:%d"]}
        """
            .formatted(endpoint.actualPort(), epoch, endpoint.actualPort());
    HttpResponse<String> put = server.send("PUT", "/routes", BodyPublishers.ofString(table));
    assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
  }

  private HttpResponse<String> ticketOf(String service) throws Exception {
    return server.send("POST", "/routes/" + service + "/ticket", BodyPublishers.noBody());
  }

  private record Answer(HttpClientResponse response, String body) {}

  private Answer ask(URI url, String cookie) throws Exception {
    RequestOptions options =
        new RequestOptions()
            .setServer(SocketAddress.inetSocketAddress(url.getPort(), "127.0.0.1"))
            .setHost(url.getHost())
            .setPort(url.getPort())
            .setURI(url.getRawPath() + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery()))
            .putHeader("Cookie", cookie);
    return ClientVertx.onLoop(
            vertx,
            () ->
                http.request(options)
                    .compose(request -> request.send())
                    .compose(response ->
                        response.body().map(body -> new Answer(response, body.toString()))))
        .await(20, TimeUnit.SECONDS);
  }

  @Test
  void aTicketOfTheServerOpensAGuardedServiceUntilItsEpochIsRaised() throws Exception {
    put(1);
    JsonNode ticket = Json.parse(ticketOf("lab").body());
    URI url = URI.create(ticket.get("url").textValue());
    URI page = URI.create("http://" + url.getAuthority() + "/page");
    assertThat(ask(page, "").response().statusCode()).isEqualTo(401);

    Answer entered = ask(url, "");
    assertThat(entered.response().statusCode()).isEqualTo(303);
    String pass = entered.response().getHeader("Set-Cookie").split(";")[0];
    Answer answer = ask(page, pass);
    assertThat(answer.response().statusCode()).isEqualTo(200);
    assertThat(answer.body()).matches("token [0-9a-f]{64}");
    // Neither the table nor a file of it has what endpoints are told.
    String token = answer.body().substring("token ".length());
    assertThat(server.get("/routes").toString()).contains("\"audience\"").doesNotContain(token);
    assertThat(Files.readString(temp.resolve("home/routes.json"))).doesNotContain(token);

    // A pass outlives the server.
    server.kill();
    Files.deleteIfExists(temp.resolve("home/server.json"));
    begin();
    JsonNode again = Json.parse(ticketOf("lab").body());
    URI there = URI.create(again.get("url").textValue());
    URI after = URI.create("http://" + there.getAuthority() + "/page");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(ask(after, pass).body()).isEqualTo(answer.body()));

    put(2);
    assertThat(ask(after, pass).response().statusCode()).isEqualTo(401);
    assertThat(ask(there, "").response().statusCode()).isEqualTo(401);
    assertThat(ticketOf("plain").statusCode()).isEqualTo(409);
    assertThat(ticketOf("none").statusCode()).isEqualTo(404);
  }

  /**
   * By the time of processors, which other programs of the machine do not change much. The first
   * rounds are those of a cold server.
   */
  @Test
  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  void aGuardedRequestCostsTheRouterAtMostTwiceThatOfAnother() throws Exception {
    put(1);
    URI entry = URI.create(Json.parse(ticketOf("lab").body()).get("url").textValue());
    String pass = ask(entry, "").response().getHeader("Set-Cookie").split(";")[0];
    URI guarded = URI.create("http://" + entry.getAuthority() + "/page");
    URI plain = URI.create(guarded.toString().replace("//lab.", "//plain."));
    assertThat(plain).isNotEqualTo(guarded);
    assertThat(ask(plain, pass).response().statusCode()).isEqualTo(200);
    cost(guarded, pass);
    cost(plain, pass);
    double ofGuarded = Double.MAX_VALUE;
    double ofPlain = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      ofGuarded = Math.min(ofGuarded, cost(guarded, pass));
      ofPlain = Math.min(ofPlain, cost(plain, pass));
    }
    assertThat(ofGuarded / ofPlain)
        .as("%.1f µs of processors a request, and %.1f without a guard", ofGuarded, ofPlain)
        .isLessThanOrEqualTo(2);
  }

  /** Microseconds of processors that the server needs for a request. */
  private double cost(URI url, String cookie) throws Exception {
    AtomicInteger left = new AtomicInteger(REQUESTS);
    Duration before = used();
    ClientVertx.onLoop(
            vertx,
            () ->
                Future.all(
                    IntStream.range(0, AT_ONCE).mapToObj(each -> next(url, cookie, left)).toList()))
        .await(60, TimeUnit.SECONDS);
    return used().minus(before).toNanos() / 1e3 / REQUESTS;
  }

  private Future<Void> next(URI url, String cookie, AtomicInteger left) {
    if (left.getAndDecrement() <= 0) {
      return Future.succeededFuture();
    }
    RequestOptions options =
        new RequestOptions()
            .setServer(SocketAddress.inetSocketAddress(url.getPort(), "127.0.0.1"))
            .setHost(url.getHost())
            .setPort(url.getPort())
            .setURI(url.getRawPath())
            .putHeader("Cookie", cookie);
    return http.request(options)
        .compose(HttpClientRequest::send)
        .compose(response -> {
          assertThat(response.statusCode()).isEqualTo(200);
          return response.body();
        })
        .compose(body -> next(url, cookie, left));
  }

  private Duration used() {
    return ProcessHandle.of(server.pid()).orElseThrow().info().totalCpuDuration().orElseThrow();
  }
}
