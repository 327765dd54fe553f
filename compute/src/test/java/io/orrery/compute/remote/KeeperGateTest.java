package io.orrery.compute.remote;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.service.TrialAccess;
import io.orrery.core.http.ClientVertx;
import io.orrery.core.id.AttemptRef;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.RequestOptions;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeeperGateTest {
  private static final String TOKEN = "an-attempts-own";

  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client = vertx.createHttpClient();
  private final List<String> reached = new CopyOnWriteArrayList<>();
  private final List<Throwable> unhandled = new CopyOnWriteArrayList<>();
  private final List<CompletableFuture<HttpServerResponse>> begun = new ArrayList<>();
  private volatile Handler<HttpServerRequest> behind = this::answer;
  private HttpServer server;
  private KeeperGate gate;
  private int port;

  @BeforeEach
  void open() throws Exception {
    vertx.exceptionHandler(unhandled::add);
    server = vertx.createHttpServer().requestHandler(this::reached).listen(0).await(10, SECONDS);
    gate = new KeeperGate(vertx, new Access(server.actualPort()));
    port = gate.port().await(10, SECONDS);
  }

  @AfterEach
  void close() throws Exception {
    gate.close().await(10, SECONDS);
    vertx.close().await(10, SECONDS);
    assertThat(unhandled).isEmpty();
  }

  private void reached(HttpServerRequest request) {
    reached.add(request.method() + " " + request.uri());
    behind.handle(request);
  }

  /** What a trial reports comes back; a file is begun and goes on when the test wants it to. */
  private void answer(HttpServerRequest request) {
    if (request.method() == HttpMethod.POST) {
      request.body().onSuccess(request.response()::end);
      return;
    }
    HttpServerResponse response = request.response().setChunked(true);
    CompletableFuture<HttpServerResponse> next = new CompletableFuture<>();
    response.exceptionHandler(next::completeExceptionally);
    begun.add(next);
    response.write("the first half, ").onSuccess(written -> next.complete(response));
  }

  @Test
  void whatATrialReportsIsPassedOnAndSoIsTheAnswer() throws Exception {
    assertThat(send(HttpMethod.POST, "/api/v1/metrics?x=1", TOKEN, "a point"))
        .isEqualTo("200 a point");
    assertThat(reached).containsExactly("POST /api/v1/metrics?x=1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/metrics",
        "/api/v1/experiments",
        "/keeper/../api/v1/experiments",
        "/keeper/%2e%2E/api/v1/experiments",
        "/keeper/..%2fapi/v1/experiments",
        "/keeper/api/v1/nni/experiments-info"
      })
  void nothingElseOfTheServerIsReached(String path) throws Exception {
    assertThat(send(HttpMethod.POST, path, TOKEN, "")).startsWith("403");
    assertThat(reached).isEmpty();
  }

  @Test
  void theNameOfAFileMayHavePoints() throws Exception {
    assertThat(send(HttpMethod.POST, "/keeper/outputs/a..b%20c?offset=0", TOKEN, "x"))
        .isEqualTo("200 x");
  }

  @Test
  void withoutTheTokenOfAnAttemptNothingIsReached() throws Exception {
    assertThat(send(HttpMethod.POST, "/api/v1/metrics", "guessed", "a point")).startsWith("403");
    assertThat(reached).isEmpty();
  }

  /** Of two the server might read the other one. */
  @Test
  void twoTokensOpenNothing() throws Exception {
    RequestOptions both = options(HttpMethod.POST, "/api/v1/metrics", TOKEN);
    both.getHeaders().add("Authorization", "Basic YTpi");

    assertThat(send(both, "a point")).startsWith("403");
    assertThat(reached).isEmpty();
  }

  @Test
  void metricsAreReportedAndNotAskedFor() throws Exception {
    assertThat(send(HttpMethod.GET, "/api/v1/metrics", TOKEN, "")).startsWith("403");
    assertThat(reached).isEmpty();
  }

  @Test
  void anAnswerThatBreaksOffDoesNotEndAsIfItWereWhole() throws Exception {
    Future<String> file = begin("/keeper/outputs/file");
    HttpServerResponse half = half();

    half.reset();

    assertThatThrownBy(() -> file.await(10, SECONDS)).isInstanceOf(HttpClosedException.class);
  }

  @Test
  void anAnswerThatGoesOnIsWhole() throws Exception {
    Future<String> file = begin("/keeper/outputs/file");

    half().end("and the other");

    assertThat(file.await(10, SECONDS)).isEqualTo("the first half, and the other");
  }

  @Test
  void aCallerThatLeavesBeforeItsAnswerIsNotAnswered() throws Exception {
    HttpServerResponse half;
    CompletableFuture<Void> gone = new CompletableFuture<>();
    try (Socket keeper = new Socket("127.0.0.1", port)) {
      String request =
          "GET /keeper/outputs/file HTTP/1.1\r\nHost: gate\r\nAuthorization: Bearer "
              + TOKEN
              + "\r\n\r\n";
      keeper.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      assertThat(keeper.getInputStream().read()).isEqualTo('H');
      half = half();
      half.closeHandler(closed -> gone.complete(null));
    }
    gone.get(10, SECONDS);

    assertThat(half.closed()).isTrue();
  }

  @Test
  void aServerThatIsAwayIsToBeAskedLater() throws Exception {
    server.close().await(10, SECONDS);

    assertThat(send(HttpMethod.POST, "/api/v1/metrics", TOKEN, "a point")).startsWith("503");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a point"})
  void aServerThatFailsWhenItHasReadEverythingIsToBeAskedLater(String body) throws Exception {
    behind = request -> request.body().onSuccess(all -> request.connection().close());

    assertThat(send(HttpMethod.POST, "/api/v1/metrics", TOKEN, body)).isEqualTo("503 ");
  }

  @Test
  void aServerThatFailsBeforeItHasReadEverythingIsToBeAskedLater() throws Exception {
    CompletableFuture<Void> failed = new CompletableFuture<>();
    behind = request -> request.connection().closeHandler(failed::complete).close();
    HttpClientRequest report =
        vertx
            .createHttpClient()
            .request(options(HttpMethod.POST, "/api/v1/metrics", TOKEN))
            .await(10, SECONDS)
            .setChunked(true);

    report.write("half a point").await(10, SECONDS);
    failed.get(10, SECONDS);
    report.end("and the other half").await(10, SECONDS);

    assertThat(report.response().await(10, SECONDS).statusCode()).isEqualTo(503);
  }

  /** Of such an answer the length is known, and nothing else. */
  @Test
  void anAnswerOfWhichNothingCameIsNotPromised() throws Exception {
    behind =
        request ->
            request
                .response()
                .putHeader("Content-Length", "5")
                .writeHead()
                .onSuccess(begun -> request.connection().close());

    assertThat(send(HttpMethod.POST, "/api/v1/metrics", TOKEN, "a point")).isEqualTo("503 ");
  }

  private HttpServerResponse half() throws Exception {
    while (begun.isEmpty()) {
      Thread.onSpinWait();
    }
    return begun.getFirst().get(10, SECONDS);
  }

  private Future<String> begin(String path) {
    return ClientVertx.onLoop(
        vertx,
        () ->
            client
                .request(options(HttpMethod.GET, path, TOKEN))
                .compose(request -> request.send())
                .compose(answer -> answer.body())
                .map(Object::toString));
  }

  private String send(HttpMethod method, String path, String token, String body) throws Exception {
    return send(options(method, path, token), body);
  }

  private String send(RequestOptions options, String body) throws Exception {
    return ClientVertx.onLoop(
            vertx,
            () ->
                client
                    .request(options)
                    .compose(request -> request.send(body))
                    .compose(answer -> answer.body().map(text -> answer.statusCode() + " " + text)))
        .await(10, SECONDS);
  }

  private RequestOptions options(HttpMethod method, String path, String token) {
    return new RequestOptions()
        .setMethod(method)
        .setHost("127.0.0.1")
        .setPort(port)
        .setURI(path)
        .putHeader("Authorization", "Bearer " + token);
  }

  /** The server of the test, which takes one token. */
  private record Access(int port) implements TrialAccess {
    @Override
    public String serverUrl() {
      return "http://127.0.0.1:" + port;
    }

    @Override
    public String token(AttemptRef attempt) {
      return TOKEN;
    }

    @Override
    public boolean isToken(String shown) {
      return shown.equals(TOKEN);
    }
  }
}
