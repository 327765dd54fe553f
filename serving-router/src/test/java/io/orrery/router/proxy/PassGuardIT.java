package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.access.OriginPasses;
import io.orrery.core.http.ClientVertx;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Services with {@code access}, whose requests need a pass. */
@AlsoOverTls
class PassGuardIT extends RouterIT {
  private final OriginPasses passes = new OriginPasses(new byte[32]);
  private final List<WebSocketClient> sockets = new ArrayList<>();

  @Override
  OriginPasses passes() {
    return passes;
  }

  private static String tableOf(Upstream endpoint, int epoch) {
    return """
      - {name: a, endpoints: ["%1$s"], access: {audience: a, epoch: %2$d}, inject: {authorization: derived}}
      - {name: b, endpoints: ["%1$s"], access: {audience: b}}
      - {name: open, endpoints: ["%1$s"]}
    """
        .formatted(endpoint.address(), epoch);
  }

  private Upstream guarded() throws Exception {
    Upstream endpoint =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  if (request.canUpgradeToWebSocket()) {
                    request
                        .toWebSocket()
                        .onSuccess(socket -> socket.textMessageHandler(socket::writeTextMessage));
                  } else if (request.path().equals("/stream")) {
                    request.response().setChunked(true).write("first");
                  } else {
                    request.end().onSuccess(end -> request.response().end(seen(request)));
                  }
                }));
    route(tableOf(endpoint, 1));
    return endpoint;
  }

  private static String seen(HttpServerRequest request) {
    return request.uri()
        + " "
        + request.headers().getAll("Cookie")
        + " "
        + request.headers().getAll("Authorization");
  }

  private String pass(String audience, long epoch) {
    return "orrery_pass_" + audience + "=" + passes.pass(audience, epoch, Instant.now());
  }

  private RequestOptions with(HttpMethod method, String host, String cookie) {
    RequestOptions options = to(method, host, "/x");
    return cookie == null ? options : options.putHeader("Cookie", cookie);
  }

  private HttpClient http2() throws Exception {
    HttpClient http2 =
        vertx.createHttpClient(
            speaking(new HttpClientOptions())
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
    return opened(new Closing(http2)).client();
  }

  private record Closing(HttpClient client) implements AutoCloseable {
    @Override
    public void close() {
      client.close();
    }
  }

  private WebSocket socket(String cookie, String origin) throws Exception {
    WebSocketConnectOptions options = new WebSocketConnectOptions();
    options.setHost("127.0.0.1").setPort(router.port()).setURI("/ws");
    options.putHeader("Host", "a.service." + DOMAIN);
    if (cookie != null) {
      options.putHeader("Cookie", cookie);
    }
    if (origin != null) {
      options.putHeader("Origin", origin);
    }
    // Held to the end: one that is not is closed with its connections when memory is collected.
    WebSocketClient from =
        vertx.createWebSocketClient(
            new WebSocketClientOptions()
                .setSsl(way.overTls())
                .setTrustAll(true)
                .setVerifyHost(false));
    sockets.add(from);
    return from.connect(options).await(20, SECONDS);
  }

  @Test
  void noRequestReachesTheEndpointWithoutAPassOfItsAudienceAndEpoch() throws Exception {
    Upstream endpoint = guarded();
    HttpClient http2 = http2();
    String forged = pass("a", 1);
    forged = forged.substring(0, forged.length() - 2) + (forged.endsWith("AA") ? "BB" : "AA");
    String late = "orrery_pass_a=" + passes.pass("a", 1, Instant.now().minus(OriginPasses.PASS));
    String ofAnother = "orrery_pass_a=" + OriginPasses.unknown().pass("a", 1, Instant.now());
    String ticket = "orrery_pass_a=" + passes.ticket("a", 1, Instant.now());
    for (String cookie :
        new String[] {
          null,
          "orrery_pass_a=",
          forged,
          late,
          ofAnother,
          ticket,
          pass("b", 1),
          pass("a", 0),
          "orrery_pass_a=" + passes.pass("b", 1, Instant.now())
        }) {
      for (HttpClient from : List.of(client, http2)) {
        Answer get = ask(from, with(HttpMethod.GET, "a", cookie), null).await(20, SECONDS);
        assertThat(get.status()).as("%s", cookie).isEqualTo(401);
        assertThat(get.response().getHeader("Content-Type")).isEqualTo("application/problem+json");
        assertThat(
                ask(from, with(HttpMethod.POST, "a", cookie), Buffer.buffer("body"))
                    .await(20, SECONDS)
                    .status())
            .isEqualTo(401);
      }
      assertThatThrownBy(() -> socket(cookie, null))
          .isInstanceOfSatisfying(
              UpgradeRejectedException.class,
              refused -> assertThat(refused.getStatus()).isEqualTo(401));
    }
    Answer page =
        send(
            with(HttpMethod.GET, "a", null).putHeader("Accept", "text/html,application/xhtml+xml"),
            null);
    assertThat(page.status()).isEqualTo(401);
    assertThat(page.response().getHeader("Content-Type")).startsWith("text/html");
    assertThat(page.text()).contains("A pass is needed");
    assertThat(endpoint.requests()).isZero();
    assertThat(get("open", "/x").status()).isEqualTo(200);
  }

  @Test
  void aTicketIsExchangedForAPassThatTheEndpointNeverSees() throws Exception {
    Upstream endpoint = guarded();
    String ticket = passes.ticket("a", 1, Instant.now());

    Answer entered = get("a", "/lab?x=1&ticket=" + ticket + "&y=2");

    assertThat(entered.status()).isEqualTo(303);
    assertThat(entered.response().getHeader("Location"))
        .isEqualTo(way.scheme() + "://a.service." + DOMAIN + "/lab?x=1&y=2");
    String cookie = entered.response().getHeader("Set-Cookie");
    assertThat(cookie).contains("; Path=/;", "HttpOnly", "SameSite=Lax").doesNotContain("Domain");
    assertThat(cookie.contains("; Secure")).isEqualTo(way.overTls());
    assertThat(get("a", "//evil.example/?ticket=" + ticket).response().getHeader("Location"))
        .isEqualTo(way.scheme() + "://a.service." + DOMAIN + "//evil.example/");
    assertThat(endpoint.requests()).isZero();

    String shown = cookie.substring(0, cookie.indexOf(';'));
    String cookies = "_xsrf=1; orrery_session=s; " + shown + "; theme=dark";
    String expected = "/x [_xsrf=1; theme=dark] [token " + passes.token("a") + "]";
    RequestOptions options = with(HttpMethod.GET, "a", cookies).putHeader("Authorization", "evil");
    assertThat(send(options, null).text()).isEqualTo(expected);
    assertThat(ask(http2(), options, null).await(20, SECONDS).text()).isEqualTo(expected);
    assertThat(send(with(HttpMethod.POST, "a", shown), Buffer.buffer("b")).text())
        .isEqualTo("/x [] [token " + passes.token("a") + "]");
    assertThat(send(with(HttpMethod.GET, "b", pass("b", 0)), null).text()).isEqualTo("/x [] []");
    WebSocket socket = socket(shown, "http://a.service." + DOMAIN);
    Promise<String> echo = Promise.promise();
    socket.textMessageHandler(echo::tryComplete);
    socket.writeTextMessage("hello").await(20, SECONDS);
    assertThat(echo.future().await(20, SECONDS)).isEqualTo("hello");
    socket.close().await(20, SECONDS);
  }

  @Test
  void aRaisedEpochEndsAllPassesAndTicketsAndATicketEndsByItself() throws Exception {
    Upstream endpoint = guarded();
    String shown = pass("a", 1);
    assertThat(send(with(HttpMethod.GET, "a", shown), null).status()).isEqualTo(200);
    String late = passes.ticket("a", 1, Instant.now().minus(OriginPasses.TICKET));
    assertThat(get("a", "/?ticket=" + late).status()).isEqualTo(401);
    String ticket = passes.ticket("a", 1, Instant.now());

    router.inbox().accept(table(tableOf(endpoint, 2)));

    assertThat(send(with(HttpMethod.GET, "a", shown), null).status()).isEqualTo(401);
    assertThat(get("a", "/?ticket=" + ticket).status()).isEqualTo(401);
    assertThat(send(with(HttpMethod.GET, "a", pass("a", 2)), null).status()).isEqualTo(200);
  }

  /** A stream that has begun and that its endpoint never ends; completes when it is over. */
  private Future<Void> stream(HttpClient from, String host, String cookie) throws Exception {
    Promise<Void> begun = Promise.promise();
    Future<Void> over =
        ClientVertx.onLoop(
            vertx,
            () ->
                from.request(with(HttpMethod.GET, host, cookie).setURI("/stream"))
                    .compose(request -> request.send())
                    .compose(response -> {
                      response.handler(piece -> begun.tryComplete());
                      return response.end();
                    }));
    over.onFailure(begun::tryFail);
    begun.future().await(20, SECONDS);
    return over;
  }

  @Test
  void aRaisedEpochEndsWhatCameInWithItsPassesAndNothingElse() throws Exception {
    Upstream endpoint = guarded();
    HttpClient http2 = http2();
    List<Future<Void>> ended = new ArrayList<>();
    for (HttpClient from : List.of(client, http2)) {
      ended.add(stream(from, "a", pass("a", 1)));
    }
    Promise<Void> closed = Promise.promise();
    WebSocket socket = socket(pass("a", 1), "http://a.service." + DOMAIN);
    socket.closeHandler(closed::tryComplete);
    List<Future<Void>> others =
        List.of(
            stream(client, "b", pass("b", 0)),
            stream(http2, "b", pass("b", 0)),
            stream(client, "open", ""));

    // Another table with the same passes ends nothing.
    router
        .inbox()
        .accept(table(tableOf(endpoint, 1) + "  - {name: more, endpoints: [\"127.0.0.1:1\"]}\n"));
    socket.writeTextMessage("hello").await(20, SECONDS);
    assertThat(ended).noneMatch(Future::isComplete);
    router.inbox().accept(table(tableOf(endpoint, 2)));

    closed.future().await(20, SECONDS);
    for (Future<Void> each : ended) {
      assertThatThrownBy(() -> each.await(20, SECONDS)).isNotInstanceOf(TimeoutException.class);
    }
    assertThat(others).noneMatch(Future::isComplete);
    assertThat(send(with(HttpMethod.GET, "a", pass("a", 2)), null).status()).isEqualTo(200);
  }

  @Test
  void aPageOfANeighbouringHostChangesNothingWithThePassOfItsVisitor() throws Exception {
    Upstream endpoint = guarded();
    String shown = pass("a", 1);
    String neighbour = "http://open.service." + DOMAIN;
    Answer posted =
        send(with(HttpMethod.POST, "a", shown).putHeader("Origin", neighbour), Buffer.buffer("b"));

    assertThat(posted.status()).isEqualTo(403);
    assertThatThrownBy(() -> socket(shown, neighbour))
        .isInstanceOfSatisfying(
            UpgradeRejectedException.class,
            refused -> assertThat(refused.getStatus()).isEqualTo(403));
    assertThat(endpoint.requests()).isZero();
  }
}
