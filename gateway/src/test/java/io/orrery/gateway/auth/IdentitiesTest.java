package io.orrery.gateway.auth;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.access.Caller;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People;
import io.orrery.core.time.SystemClock;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Watches the streams of a real HTTP server, which are opened and ended by real clients. */
class IdentitiesTest {
  private static final String HOST = "127.0.0.1";
  private static final Caller ANN =
      new Caller("ann", UserRole.USER, Caller.Kind.PERSON, Map.of(), false);

  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);
  private final SystemClock clock = new SystemClock(vertx);
  private final Identities identities =
      new Identities(bus, clock, new ServiceTokens(List.of(), clock), true);

  /** The responses that are open, by the path of their request; used on the server's loop. */
  private final Map<String, HttpServerRequest> open = new HashMap<>();

  private volatile @Nullable Instant until;
  private volatile long revision = 1;
  private int port;
  private Context loop;

  @BeforeEach
  void start() throws Exception {
    success(bus.serve(People.REVISION, asked -> Future.succeededFuture(now())));
    success(
        bus.serve(
            People.IDENTIFY,
            asked -> {
              Caller caller = asked.digest().equals("ended") && revision > 1 ? null : ANN;
              return Future.succeededFuture(new People.Identity(caller, until, revision, null));
            }));
    success(
        vertx.deployVerticle(
            new AbstractVerticle() {
              @Override
              public void start(Promise<Void> started) {
                loop = context;
                identities.start();
                vertx
                    .createHttpServer()
                    .requestHandler(IdentitiesTest.this::stream)
                    .listen(0, HOST)
                    .onSuccess(listening -> port = listening.actualPort())
                    .<Void>mapEmpty()
                    .onComplete(started);
              }
            }));
  }

  @AfterEach
  void stop() throws Exception {
    identities.close();
    success(vertx.close());
  }

  private People.Revision now() {
    return new People.Revision(revision);
  }

  /** Opens a stream or WebSocket; the path is the digest of what it is opened by. */
  private void stream(HttpServerRequest request) {
    identities.watch(request, request.path().substring(1), ANN);
    if (request.headers().contains("Upgrade", "websocket", true)) {
      request.toWebSocket();
      return;
    }
    open.put(request.path(), request);
    request.response().setChunked(true).write("first");
  }

  private <T> T onLoop(Callable<T> work) throws Exception {
    Promise<T> done = Promise.promise();
    loop.runOnContext(called -> {
      try {
        done.complete(work.call());
      } catch (Exception e) {
        done.fail(e);
      }
    });
    return success(done.future());
  }

  private void awaitWatched(int streams) {
    await().untilAsserted(() -> assertThat(onLoop(identities::watched)).isEqualTo(streams));
  }

  private HttpClient client(HttpVersion version) {
    return vertx
        .httpClientBuilder()
        .with(
            new HttpClientOptions()
                .setProtocolVersion(version)
                .setHttp2ClearTextUpgrade(false)
                .setDefaultHost(HOST)
                .setDefaultPort(port))
        .with(new PoolOptions().setHttp1MaxSize(1).setHttp2MaxSize(1))
        .build();
  }

  /** The request of a stream whose first bytes have come. */
  private static HttpClientRequest get(HttpClient client, String path) throws Exception {
    HttpClientRequest request = success(client.request(HttpMethod.GET, path));
    HttpClientResponse response = success(request.send());
    response.exceptionHandler(broken -> {});
    assertThat(response.statusCode()).isEqualTo(200);
    return request;
  }

  private void end(String path) throws Exception {
    onLoop(() -> open.remove(path).response().end());
  }

  @Test
  void aStreamThatEndsIsForgottenThoughItsConnectionStaysOpen() throws Exception {
    HttpClient client = client(HttpVersion.HTTP_1_1);
    HttpClientRequest first = get(client, "/one");
    awaitWatched(1);

    end("/one");
    awaitWatched(0);

    HttpClientRequest second = get(client, "/two");
    assertThat(second.connection()).isSameAs(first.connection());
    awaitWatched(1);
  }

  @Test
  void aStreamWhoseClientGoesIsForgotten() throws Exception {
    HttpClientRequest request = get(client(HttpVersion.HTTP_1_1), "/one");
    awaitWatched(1);

    success(request.connection().close());

    awaitWatched(0);
  }

  @Test
  void aStreamOfHttp2ThatIsResetIsForgottenAndTheOthersOfItsConnectionAreNot() throws Exception {
    HttpClient client = client(HttpVersion.HTTP_2);
    HttpClientRequest first = get(client, "/same");
    HttpClientRequest second = get(client, "/same");
    HttpClientRequest third = get(client, "/other");
    assertThat(second.connection()).isSameAs(first.connection()).isSameAs(third.connection());
    awaitWatched(3);

    first.reset();
    awaitWatched(2);

    end("/other");
    awaitWatched(1);

    success(second.connection().close());
    awaitWatched(0);
  }

  @Test
  void aStreamThatHasEndedDoesNotCloseItsConnectionWhenItsCallerLeaves() throws Exception {
    HttpClient client = client(HttpVersion.HTTP_2);
    HttpClientRequest gone = get(client, "/ended");
    HttpClientRequest stays = get(client, "/stays");
    Promise<Void> closed = Promise.promise();
    stays.connection().closeHandler(end -> closed.complete());
    gone.reset();
    awaitWatched(1);

    revision = 2;
    bus.publish(People.CHANGED, now());

    HttpClientRequest later = get(client, "/later");
    assertThat(later.connection()).isSameAs(stays.connection());
    assertThat(closed.future().isComplete()).isFalse();

    get(client, "/ended");
    success(closed.future());
    awaitWatched(0);
  }

  @Test
  void aWebSocketIsWatchedUntilItClosesAndClosedWhenItsSessionEnds() throws Exception {
    WebSocketClient client = vertx.createWebSocketClient();
    WebSocket left = success(client.connect(port, HOST, "/left"));
    awaitWatched(1);
    success(left.close());
    awaitWatched(0);

    until = Instant.now().plusSeconds(2);
    WebSocket ends = success(client.connect(port, HOST, "/ends"));
    Promise<Instant> closed = Promise.promise();
    ends.closeHandler(end -> closed.complete(Instant.now()));
    awaitWatched(1);

    assertThat(success(closed.future())).isAfterOrEqualTo(until.minusMillis(1));
    awaitWatched(0);
  }
}
