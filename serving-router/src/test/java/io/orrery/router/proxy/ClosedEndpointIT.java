package io.orrery.router.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Endpoints that close their connection when their answer is written, for clients that read late.
 */
class ClosedEndpointIT extends RouterIT {
  private static final int BYTES = 1_500_000;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: " + BYTES + "\r\nConnection: close\r\n\r\n",
        "Connection: close\r\n\r\n"
      })
  void anAnswerComesWholeWhenItsEndpointHasClosedBeforeTheClientReads(String fields)
      throws Exception {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    ServerSocket endpoint = opened(new ServerSocket(0, 10, InetAddress.getLoopbackAddress()));
    Thread.ofVirtual()
        .start(() -> {
          try (Socket connection = endpoint.accept()) {
            connection.getInputStream().read(new byte[8192]);
            connection
                .getOutputStream()
                .write(("HTTP/1.1 200 OK\r\n" + fields).getBytes(StandardCharsets.US_ASCII));
            connection.getOutputStream().write(new byte[BYTES]);
          } catch (Exception e) {
            closed.completeExceptionally(e);
          }
          closed.complete(null);
        });
    route("  - {name: a, endpoints: [\"127.0.0.1:%d\"]}\n".formatted(endpoint.getLocalPort()));

    try (Socket client = new Socket()) {
      client.setReceiveBufferSize(16 * 1024);
      client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), router.port()));
      client
          .getOutputStream()
          .write(
              "GET / HTTP/1.1\r\nHost: a.service.orrery.localhost\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      closed.get(30, TimeUnit.SECONDS);
      InputStream in = client.getInputStream();
      byte[] all = in.readAllBytes();
      String text = new String(all, StandardCharsets.ISO_8859_1);
      String head = text.substring(0, text.indexOf("\r\n\r\n"));
      String body = text.substring(head.length() + 4);
      assertThat(head).startsWith("HTTP/1.1 200");
      if (head.toLowerCase(Locale.ROOT).contains("chunked")) {
        assertThat(body).endsWith("\r\n0\r\n\r\n");
        assertThat(body.chars().filter(c -> c == 0).count()).isEqualTo(BYTES);
      } else {
        assertThat(body).hasSize(BYTES);
      }
    }
  }
}
