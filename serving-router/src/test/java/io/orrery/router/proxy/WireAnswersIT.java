package io.orrery.router.proxy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Tests how answers end that have no length, break off, or come before they were asked for. */
@AlsoOverTls
class WireAnswersIT extends WireFixture {
  @Test
  void anAnswerThatEndsWithItsConnectionIsChunked() throws Exception {
    RawEndpoint endpoint =
        opened(new RawEndpoint(head -> "HTTP/1.0 200 OK\r\nX: y\r\n\r\nto the end^"));
    routeTo(endpoint.address());

    for (int i = 0; i < 3; i++) {
      assertThat(get("a", "/").text()).isEqualTo("to the end");
    }
  }

  @Test
  void anAnswerThatIsResetIsNotWhole() throws Exception {
    CountDownLatch half = new CountDownLatch(1);
    try (ServerSocket endpoint = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      routeTo("127.0.0.1:" + endpoint.getLocalPort());
      Thread.ofVirtual()
          .start(() -> {
            try (Socket asked = endpoint.accept()) {
              assertThat(asked.getInputStream().read()).isEqualTo('G');
              asked
                  .getOutputStream()
                  .write("HTTP/1.1 200 OK\r\n\r\nhalf".getBytes(StandardCharsets.US_ASCII));
              half.await();
              asked.setSoLinger(true, 0);
            } catch (IOException | InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });

      try (RawClient raw = raw()) {
        raw.write("GET / HTTP/1.1\r\n" + HOST + "\r\n");
        assertThat(raw.head()).startsWith("HTTP/1.1 200");
        assertThat(raw.some(7)).isEqualTo("4\r\nhalf");
        half.countDown();

        assertThat(raw.rest()).isEqualTo("\r\n");
      }
    }
  }

  @Test
  void forAnOldClientABodyWithoutALengthEndsWithItsConnection() throws Exception {
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(head ->
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n"));
    routeTo(endpoint.address());

    try (RawClient raw = raw()) {
      raw.write("GET / HTTP/1.0\r\n" + HOST + "Connection: keep-alive\r\n\r\n");
      assertThat(raw.rest()).contains("200 OK").endsWith("\r\n\r\nbody");
    }
  }

  @Test
  void anOldClientIsToldThatAnAnswerHasBegun() throws Exception {
    CompletableFuture<HttpServerResponse> begun = new CompletableFuture<>();
    Upstream silent =
        opened(
            Upstream.start(
                vertx,
                request -> {
                  request.response().setChunked(true).writeHead();
                  begun.complete(request.response());
                }));
    routeTo(silent.address());

    try (RawClient raw = raw()) {
      raw.write("GET / HTTP/1.0\r\n" + HOST + "\r\n");
      assertThat(raw.head()).contains(" 200 OK");
      HttpServerResponse response = begun.get(5, SECONDS);
      vertx.runOnContext(go -> response.end("at last"));
      assertThat(raw.rest()).isEqualTo("at last");
    }
  }

  @Test
  void whatAnEndpointSaysUnaskedIsNoAnswer() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(head -> {
              seen.add(head);
              return "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                  + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";
            }));
    routeTo(endpoint.address());

    for (int i = 0; i < 5; i++) {
      assertThat(send(to(HttpMethod.GET, "a", "/" + i), null).text()).isEqualTo("ok");
    }
    assertThat(seen).hasSize(5);
  }

  @Test
  void aHintBeforeTheAnswerIsNotTakenForIt() throws Exception {
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(head ->
                "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
    routeTo(endpoint.address());

    assertThat(get("a", "/").text()).isEqualTo("ok");
    assertThat(get("a", "/").text()).isEqualTo("ok");
  }

  @Test
  void anAnswerOfTwoLengthsIsNone() throws Exception {
    RawEndpoint endpoint =
        opened(
            new RawEndpoint(
                head -> "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\nok12"));
    routeTo(endpoint.address());

    assertThat(send(to(HttpMethod.POST, "a", "/"), Buffer.buffer("x")).status()).isEqualTo(502);
  }
}
