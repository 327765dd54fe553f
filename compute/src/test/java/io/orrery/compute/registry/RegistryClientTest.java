package io.orrery.compute.registry;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.registry.RegistryClient.Credentials;
import io.orrery.core.bus.contract.Registries.FoundImage;
import io.orrery.core.image.ImageReference;
import io.orrery.core.image.RegistryServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Logs in to registries that ask for a token, over a real server of HTTP. */
class RegistryClientTest {
  private static final String DIGEST =
      "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  private static final Credentials ROBOT = new Credentials("robot", "right: password");
  private static final Credentials WRONG = new Credentials("robot", "wrong");

  private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
  private Vertx vertx;
  private RegistryClient client;
  private HttpServer server;
  private Consumer<HttpServerRequest> registry = request -> {};

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    client = new RegistryClient(vertx, InetAddress::isLoopbackAddress);
    server = success(vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1"));
    registry = request -> tokens(request, "http://" + host() + "/token");
  }

  @AfterEach
  void stop() throws Exception {
    success(client.close());
    success(vertx.close());
  }

  private String host() {
    return "127.0.0.1:" + server.actualPort();
  }

  private void answer(HttpServerRequest request) {
    asked.add(
        request.method()
            + " "
            + request.uri()
            + " "
            + Objects.requireNonNullElse(request.getHeader("Authorization"), "-"));
    registry.accept(request);
  }

  private static String basic(Credentials account) {
    return "Basic "
        + Base64.getEncoder()
            .encodeToString(
                (account.user() + ":" + account.password()).getBytes(StandardCharsets.UTF_8));
  }

  /** A registry that wants a token, and its token service. */
  private static void tokens(HttpServerRequest request, String realm) {
    String authorization = Objects.requireNonNullElse(request.getHeader("Authorization"), "");
    if (request.path().equals("/token")) {
      boolean right = authorization.equals(basic(ROBOT));
      request.response().setStatusCode(right ? 200 : 401).end("{\"token\": \"t0k3n\"}");
    } else if (!authorization.equals("Bearer t0k3n")) {
      request
          .response()
          .setStatusCode(401)
          .putHeader("WWW-Authenticate", "Bearer realm=\"" + realm + "\",service=\"the registry\"")
          .end();
    } else if (request.path().endsWith("/manifests/old")) {
      request.response().setStatusCode(404).end();
    } else {
      request.response().putHeader("Docker-Content-Digest", DIGEST).end();
    }
  }

  private Future<String> login(Credentials account) {
    return client.login(RegistryServer.parse(host()).orElseThrow(), account);
  }

  private Future<FoundImage> find(String tag) {
    return client.find(ImageReference.parse(host() + "/vision/tool:" + tag).orElseThrow(), ROBOT);
  }

  private static void assertFails(Future<?> future, String reason) {
    assertThatThrownBy(
            () -> future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(RegistryException.class)
        .hasMessageContaining(reason)
        .hasMessageNotContaining(WRONG.password())
        .hasMessageNotContaining(ROBOT.password());
  }

  @Test
  void aTokenIsFetchedWithThePasswordAndShownToTheRegistry() throws Exception {
    assertThat(success(login(ROBOT))).isEqualTo(host() + " accepts the user robot");
    assertThat(asked)
        .containsExactly(
            "GET /v2/ -",
            "GET /token?service=the+registry&account=robot " + basic(ROBOT),
            "GET /v2/ Bearer t0k3n");
  }

  @Test
  void aTokenForAnImageIsForPullingIt() throws Exception {
    assertThat(success(find("1"))).isEqualTo(new FoundImage(DIGEST, true, null));
    assertThat(asked)
        .contains(
            "GET /token?service=the+registry&scope=repository%3Avision%2Ftool%3Apull"
                + "&account=robot "
                + basic(ROBOT),
            "HEAD /v2/vision/tool/manifests/1 Bearer t0k3n");
    assertThat(success(find("old")).asked()).isTrue();
    assertThat(success(find("old")).digest()).isNull();
  }

  @Test
  void aWrongPasswordIsAReason() {
    assertFails(login(WRONG), host() + " refused the user robot (status 401)");
  }

  @Test
  void aPasswordDoesNotFollowARedirect() throws Exception {
    HttpServer other =
        success(
            vertx
                .createHttpServer()
                .requestHandler(request -> {
                  asked.add("other " + request.uri());
                  request.response().end();
                })
                .listen(0, "127.0.0.1"));
    registry =
        request ->
            request
                .response()
                .setStatusCode(request.getHeader("Authorization") == null ? 401 : 307)
                .putHeader("WWW-Authenticate", "Basic realm=\"test\"")
                .putHeader("Location", "http://127.0.0.1:" + other.actualPort() + "/v2/")
                .end();

    assertFails(login(ROBOT), "redirects elsewhere (status 307)");
    assertThat(asked).containsExactly("GET /v2/ -", "GET /v2/ " + basic(ROBOT));
  }

  @Test
  void aTokenServiceElsewhereWithoutTlsGetsNothing() {
    for (String realm :
        List.of("http://tokens.example.com/token", "http://10.0.0.1/token", "ftp://127.0.0.1/x")) {
      registry = request -> tokens(request, realm);
      assertFails(login(ROBOT), "names a token service without TLS");
    }
    for (String realm : List.of("/token", "not an address", "https://a:b@127.0.0.1/token")) {
      registry = request -> tokens(request, realm);
      assertFails(login(ROBOT), "whose address cannot be used");
    }
    assertThat(asked).allMatch(request -> request.equals("GET /v2/ -"));
  }

  @Test
  void anAnswerThatIsTooLongIsGivenUp() {
    registry =
        request -> {
          if (request.path().equals("/token")) {
            request.response().end("{\"token\": \"" + "t".repeat(100_000) + "\"}");
          } else {
            tokens(request, "http://" + host() + "/token");
          }
        };
    assertFails(login(ROBOT), "does not answer");
  }

  @Test
  void aTokenThatWouldBeTwoHeadersIsNone() {
    registry =
        request -> {
          if (request.path().equals("/token")) {
            request.response().end("{\"token\": \"t\\r\\nX: y\"}");
          } else {
            tokens(request, "http://" + host() + "/token");
          }
        };
    assertFails(login(ROBOT), "answers no token");
  }

  @Test
  void aServerThatIsNoRegistryOrNotThereIsSaidToBe() throws Exception {
    registry = request -> request.response().setStatusCode(404).end();
    assertFails(login(ROBOT), "has no registry API of version 2");
    registry = request -> request.response().end();
    assertThat(success(login(ROBOT))).contains("asks for no login");
    registry =
        request ->
            request.response().setStatusCode(401).putHeader("WWW-Authenticate", "Digest x").end();
    assertFails(login(ROBOT), "neither Basic nor Bearer");
    success(server.close());
    assertFails(login(ROBOT), "does not answer");
  }

  @Test
  void aRegistryThatIsNotOnTheInternetIsAskedOnlyWhereThatIsAllowed() throws Exception {
    RegistryClient strict = new RegistryClient(vertx, address -> false);
    for (String name : List.of(host(), "localhost:" + server.actualPort(), "10.0.0.7:5000")) {
      assertThatThrownBy(
              () -> success(strict.login(RegistryServer.parse(name).orElseThrow(), ROBOT)))
          .hasMessageContaining("an administrator allows networks by registries.networks");
    }
    assertThat(asked).isEmpty();
    success(strict.close());
  }
}
