package io.orrery.orchestrator.alert;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.orchestrator.alert.AlertOutcome.Kind;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SelfSignedCertificate;
import java.net.InetAddress;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sends to real receivers. */
class WebhookClientTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

  private final AtomicInteger requests = new AtomicInteger();
  private Vertx vertx;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
  }

  @AfterEach
  void stop() throws Exception {
    success(vertx.close());
  }

  private int listen(HttpServerOptions options, Handler<HttpServerRequest> handler)
      throws Exception {
    HttpServer server =
        vertx
            .createHttpServer(options)
            .requestHandler(request -> {
              requests.incrementAndGet();
              handler.handle(request);
            });
    return success(server.listen(0, "127.0.0.1")).actualPort();
  }

  private AlertOutcome send(String address, boolean allowed) throws Exception {
    return send(
        new WebhookClient(vertx, 2, found -> allowed && found.isLoopbackAddress()), address);
  }

  private static AlertOutcome send(WebhookClient client, String address) throws Exception {
    return success(
        client.send(Webhook.read(address + " key").orElseThrow(), "r1-failed-7", "{}", NOW));
  }

  @Test
  void aRequestHasItsHeadersAndGoesToTheNamedPath() throws Exception {
    StringBuilder seen = new StringBuilder();
    int port =
        listen(
            new HttpServerOptions(),
            request ->
                request
                    .body()
                    .onSuccess(body -> {
                      seen.append(request.method()).append(' ').append(request.uri());
                      for (String name : new String[] {"host", "webhook-id", "webhook-timestamp"}) {
                        seen.append(' ').append(request.getHeader(name));
                      }
                      seen.append(' ').append(body);
                      request.response().setStatusCode(204).end();
                    }));

    AlertOutcome outcome = send("http://localhost:" + port + "/in?token=1", true);

    assertThat(outcome.kind()).isEqualTo(Kind.TAKEN);
    assertThat(seen.toString())
        .isEqualTo("POST /in?token=1 localhost:%d r1-failed-7 1800000000 {}".formatted(port));
  }

  @Test
  void anAddressThatIsNotPublicIsRefusedByAnyName() throws Exception {
    int port = listen(new HttpServerOptions(), request -> request.response().end());

    for (String host : new String[] {"localhost", "127.0.0.1", "2130706433", "[::1]", "0.0.0.0"}) {
      AlertOutcome outcome = send("http://" + host + ":" + port, false);
      assertThat(outcome.kind()).as(host).isEqualTo(Kind.FAILED);
      assertThat(outcome.words()).contains("alerts.networks").doesNotContain("127", "localhost");
    }
    assertThat(requests).hasValue(0);
  }

  @Test
  void aRedirectIsNotFollowed() throws Exception {
    int port =
        listen(
            new HttpServerOptions(),
            request ->
                request.response().setStatusCode(307).putHeader("location", "/elsewhere").end());

    AlertOutcome outcome = send("http://127.0.0.1:" + port, true);

    assertThat(outcome.kind()).isEqualTo(Kind.FAILED);
    assertThat(outcome.words()).contains("307").contains("not followed");
    assertThat(requests).hasValue(1);
  }

  @Test
  void anAnswerIsNotReadBeyondItsStatus() throws Exception {
    int port =
        listen(
            new HttpServerOptions(),
            request -> request.response().setChunked(true).write("it never ends"));

    assertThat(send("http://127.0.0.1:" + port, true).kind()).isEqualTo(Kind.TAKEN);
  }

  @Test
  void aReceiverThatIsNotThereOrDoesNotSpeakHttpIsAFailureWithoutItsAddress() throws Exception {
    HttpServer server = vertx.createHttpServer().requestHandler(request -> {});
    int port = success(server.listen(0, "127.0.0.1")).actualPort();
    success(server.close());
    int raw =
        success(
                vertx
                    .createNetServer()
                    .connectHandler(socket -> socket.write("hello\r\n\r\n"))
                    .listen(0, "127.0.0.1"))
            .actualPort();

    assertThat(send("http://127.0.0.1:" + port, true))
        .isEqualTo(AlertOutcome.failed("the receiver took no connection"));
    assertThat(send("http://127.0.0.1:" + raw, true))
        .isEqualTo(AlertOutcome.failed("the connection to the receiver broke off"));
    assertThat(send("http://no.such.host.invalid/", true))
        .isEqualTo(AlertOutcome.failed("the host of the receiver is not known"));
  }

  @Test
  void aReceiverThatDoesNotAnswerIsLeft() throws Exception {
    int port = listen(new HttpServerOptions(), request -> {});

    assertThat(send("http://127.0.0.1:" + port, true))
        .isEqualTo(AlertOutcome.failed("the receiver did not answer within 10 s"));
  }

  @Test
  void aCertificateIsTrustedForItsNameAlone() throws Exception {
    SelfSignedCertificate own = SelfSignedCertificate.create("localhost");
    int port =
        listen(
            new HttpServerOptions().setSsl(true).setKeyCertOptions(own.keyCertOptions()),
            request -> request.response().end());

    assertThat(send("https://localhost:" + port, true))
        .isEqualTo(AlertOutcome.failed("the receiver has no certificate that is trusted"));
    assertThat(requests).hasValue(0);
    WebhookClient trusting =
        new WebhookClient(vertx, 2, InetAddress::isLoopbackAddress, own.trustOptions());
    assertThat(send(trusting, "https://localhost:" + port).kind()).isEqualTo(Kind.TAKEN);
    assertThat(send(trusting, "https://127.0.0.1:" + port).kind()).isEqualTo(Kind.FAILED);
    assertThat(requests).hasValue(1);
    own.delete();
  }
}
